import type { Answer } from './answers.ts';
import type { Message } from './messages.ts';

/** Who a mail is from and for. */
export interface MailRoute {
  /** The operator's address. */
  readonly to: string;
  readonly from: string;
  /** What people know the site by: its brand, or else its domain. */
  readonly name: string;
  /** The site's domain, for identifiers of mails. */
  readonly domain: string;
}

/** A mail, in the terms of the library that sends it. */
export interface Mail {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly replyTo: { readonly name: string; readonly address: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly messageId: string;
  readonly date: Date;
  readonly text: string;
  readonly disableFileAccess: true;
  readonly disableUrlAccess: true;
}

const lastOfHour =
  '--\nThis hour has had as many mails as MAILS_PER_HOUR allows. Further messages of this hour are kept and not mailed: "npm run cli -- messages" lists them.';

/** In a header, whatever could end a line or hide something is a space (RFC 5322, section 2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/**
 * The mail in which the operator reads a message. It is the operator's site that sends it, and the visitor stands in
 * `Reply-To`: a mail that claimed to come from the visitor's address would be refused. Its identifier is the same at
 * every attempt, so that one that arrived twice can be told.
 * @param isLastOfHour whether further messages of this hour are not mailed, which the mail then says
 */
export function composeMail(
  message: Message,
  { to, from, name: site, domain }: MailRoute,
  isLastOfHour = false,
): Mail {
  const { id, form, locale, madeAt, fields } = message;
  const name = oneLine(message.name);
  const about = [`#${id}`, form, locale, new Date(madeAt).toISOString()].join(' · ');
  const parts = Object.entries(fields).map(([field, value]) => `${field}:\n${value}`);
  return {
    from: { name: site, address: from },
    to: { name: '', address: to },
    replyTo: { name, address: oneLine(message.email) },
    subject: `[${site}] ${oneLine(message.subject)}`,
    messageId: `<message-${id}-${madeAt}@${domain}>`,
    date: new Date(madeAt),
    text: `${[about, ...parts, ...(isLastOfHour ? [lastOfHour] : [])].join('\n\n')}\n`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** What an acknowledgement says, in the visitor's language. */
export interface AcknowledgementWords {
  readonly subject: string;
  readonly text: string;
  /** BCP 47 */
  readonly lang: string;
}

/**
 * The mail that tells a visitor that their message arrived. Anybody can have it sent to anybody, so it holds nothing
 * that was typed but the address that it goes to. It says of itself that a program sent it, so that no other program
 * answers (RFC 3834).
 * @param route `to` is where answers go
 */
export function composeAcknowledgement(
  { id, email, madeAt }: Pick<Message, 'id' | 'email' | 'madeAt'>,
  { to, from, name, domain }: MailRoute,
  { subject, text, lang }: AcknowledgementWords,
): Mail {
  return {
    from: { name, address: from },
    to: { name: '', address: oneLine(email) },
    replyTo: { name, address: to },
    subject,
    messageId: `<acknowledgement-${id}-${madeAt}@${domain}>`,
    date: new Date(madeAt),
    text,
    headers: {
      'Auto-Submitted': 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': lang,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** As mail programs quote (RFC 3676, section 4.5). */
const quoted = (text: string) => text.replace(/^/gm, '> ');

/**
 * What the operator answers, in the operator's words and above what the visitor wrote.
 * @param route `to` is where the visitor's next mail goes
 */
export function composeAnswer(
  { id, text, madeAt }: Pick<Answer, 'id' | 'text' | 'madeAt'>,
  message: Pick<Message, 'name' | 'email' | 'subject' | 'fields'>,
  { to, from, name, domain }: MailRoute,
): Mail {
  const wrote = message.fields.message ?? message.fields.work ?? '';
  return {
    from: { name, address: from },
    to: { name: oneLine(message.name), address: oneLine(message.email) },
    replyTo: { name, address: to },
    subject: `Re: ${oneLine(message.subject)}`,
    messageId: `<answer-${id}-${madeAt}@${domain}>`,
    date: new Date(madeAt),
    text: `${text}\n\n${quoted(wrote)}\n`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
