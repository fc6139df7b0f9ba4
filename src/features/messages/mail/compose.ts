import type { Answer } from '../answers.ts';
import type { Message } from '../messages.ts';

/** Sender and recipient of a mail. */
export interface MailRoute {
  /** The operator's address. */
  readonly to: string;
  readonly from: string;
  /** The site's visible name: its brand, or else its domain. */
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

/** In a header, characters that could end a line or hide text become spaces (RFC 5322, section 2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/**
 * The mail with a message for the operator. Its sender is the operator's site, and `Reply-To` names the visitor: a mail
 * claiming the visitor's address as its sender would be rejected. Its identifier is the same at every attempt, so that
 * duplicates can be recognised.
 * @param isLastOfHour whether further messages of this hour are not mailed, which the mail then states
 */
export function composeMail(
  message: Message,
  { to, from, name: site, domain }: MailRoute,
  isLastOfHour = false,
): Mail {
  const { id, reference, form, locale, madeAt, fields } = message;
  const name = oneLine(message.name);
  const about = [`#${id}`, reference, form, locale, new Date(madeAt).toISOString()].join(' · ');
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

/** The words of an acknowledgement, in the visitor's language. */
export interface AcknowledgementWords {
  readonly subject: string;
  readonly text: string;
  /** BCP 47 */
  readonly lang: string;
}

/**
 * The mail that confirms a visitor's message. Anybody can have it sent to anybody, so it contains none of the typed
 * text except its recipient's address. It is marked as automatic, so that no other program replies (RFC 3834).
 * @param route `to` is the address for replies
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

/** Quotes like mail programs (RFC 3676, section 4.5). */
const quoted = (text: string) => text.replace(/^/gm, '> ');

/**
 * The operator's answer, above the quoted message.
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
