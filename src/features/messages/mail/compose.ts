import type { Message } from '../messages.ts';
import type { Answer } from './to-visitors.ts';

/** Sender and recipient of a mail. */
interface MailRoute {
  /** The operator's address. */
  readonly to: string;
  readonly from: string;
  /** The site's visible name: its brand, or else its domain. */
  readonly name: string;
  /** The site's domain, for identifiers of mails. */
  readonly domain: string;
}

/**
 * The fields that all mails have. A mail's identifier is the same at every attempt, so that duplicates can be
 * recognised.
 */
const mailOf = (
  kind: string,
  { id, madeAt }: { readonly id: number; readonly madeAt: number },
  { from, name, domain }: MailRoute,
) => ({
  from: { name, address: from },
  messageId: `<${kind}-${id}-${madeAt}@${domain}>`,
  date: new Date(madeAt),
  disableFileAccess: true,
  disableUrlAccess: true,
});

const lastOfHour =
  '--\nThis hour has had as many mails as MAILS_PER_HOUR allows. Further messages of this hour are kept and not mailed: "npm run cli -- messages" lists them.';

/** In a header, characters that could end a line or hide text become spaces (RFC 5322, section 2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/**
 * The mail with a message for the operator. Its sender is the operator's site, and `Reply-To` names the visitor: a mail
 * claiming the visitor's address as its sender would be rejected.
 * @param isLastOfHour whether further messages of this hour are not mailed, which the mail then states
 */
export function composeMail(message: Message, route: MailRoute, isLastOfHour = false) {
  const { id, reference, form, locale, madeAt, fields } = message;
  const name = oneLine(message.name);
  const about = [`#${id}`, reference, form, locale, new Date(madeAt).toISOString()].join(' · ');
  const parts = Object.entries(fields).map(([field, value]) => `${field}:\n${value}`);
  return {
    ...mailOf('message', message, route),
    to: { name: '', address: route.to },
    replyTo: { name, address: oneLine(message.email) },
    subject: `[${route.name}] ${oneLine(message.subject)}`,
    text: `${[about, ...parts, ...(isLastOfHour ? [lastOfHour] : [])].join('\n\n')}\n`,
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
  message: Pick<Message, 'id' | 'email' | 'madeAt'>,
  route: MailRoute,
  { subject, text, lang }: AcknowledgementWords,
) {
  return {
    ...mailOf('acknowledgement', message, route),
    to: { name: '', address: oneLine(message.email) },
    replyTo: { name: route.name, address: route.to },
    subject,
    text,
    headers: {
      'Auto-Submitted': 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': lang,
    },
  };
}

/** Quotes like mail programs (RFC 3676, section 4.5). */
const quoted = (text: string) => text.replace(/^/gm, '> ');

/**
 * The operator's answer, above the quoted message.
 * @param route `to` is where the visitor's next mail goes
 */
export function composeAnswer(
  answer: Pick<Answer, 'id' | 'text' | 'madeAt'>,
  message: Pick<Message, 'name' | 'email' | 'subject' | 'fields'>,
  route: MailRoute,
) {
  const wrote = message.fields.message ?? message.fields.work ?? '';
  return {
    ...mailOf('answer', answer, route),
    to: { name: oneLine(message.name), address: oneLine(message.email) },
    replyTo: { name: route.name, address: route.to },
    subject: `Re: ${oneLine(message.subject)}`,
    text: `${answer.text}\n\n${quoted(wrote)}\n`,
  };
}
