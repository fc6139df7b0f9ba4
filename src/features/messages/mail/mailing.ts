import type { SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { translateTo } from '../../../i18n/catalogue.ts';
import { defaultLocale, isLocale, languages } from '../../../i18n/languages.ts';
import type { Environment } from '../../../process/environment.ts';
import { openMailTransport } from '../../../server/mail/transport.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { Database } from '../../../stores/contracts/database.ts';
import {
  type Claimed,
  type Outbox,
  type Patience,
  type SendingObserver,
  startSender,
} from '../../../stores/shared-work/outbox.ts';
import { createTallyStore } from '../../../stores/tally/tally-store.ts';
import { unitOf } from '../../../stores/tally/units.ts';
import type { OnStored } from '../message-receiver.ts';
import { createMessages, type Message } from '../messages.ts';
import { messageVariables } from '../variables.ts';
import { type AcknowledgementWords, composeAcknowledgement, composeAnswer, composeMail } from './compose.ts';
import { type Answers, createAcknowledgements, createAnswers } from './to-visitors.ts';

/** About three days. */
const patience: Patience = { firstDelayMs: 5000, longestDelayMs: 3_600_000, maxAttempts: 80 };
/** With the delays between them about three hours: who waited longer has been answered, or has written again. */
const acknowledgementAttempts = 12;

/** The mails that a message leads to: one to the operator, one to the visitor that says that it arrived, and answers. */
export interface Mailing {
  readonly onStored: OnStored;
  /** Mails what the operator answers to a message; null where there is no mail server. @throws Error when there is no such message */
  readonly answer: Answers['plan'] | null;
  close(): Promise<void>;
}

/** Name of the count of mails to the operator. */
const mailsCount = 'mails';

/** The operator has got this hour's limit of mails: the message is stored, and listed. */
class TooManyMails extends Error {
  override readonly name = 'TooManyMails';
}

/** Mail servers refuse for good with 5xx: an address that does not exist, say (RFC 5321, section 4.2.1). */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;

function acknowledgementWords({ reference: number, locale }: Message, name: string): AcknowledgementWords {
  const spoken = isLocale(locale) ? locale : defaultLocale;
  const t = translateTo(spoken, 'mail');
  const paragraphs = [
    t('acknowledgement.thanks', { name }),
    t('acknowledgement.number', { number }),
    t('acknowledgement.automatic'),
  ];
  return {
    subject: t('acknowledgement.subject', { number }),
    text: `${paragraphs.join('\n\n')}\n\n${name}\n`,
    lang: languages[spoken].lang,
  };
}

/** Counts and logs what becomes of mails, by their kind. */
function createMailObserver(metrics: Registry, logger: Logger): (kind: string) => SendingObserver<Claimed> {
  const mails = new Counter({
    name: 'clipferry_mails_total',
    help: 'Mails handed to the mail server, and attempts that failed.',
    labelNames: ['kind', 'result'],
    registers: [metrics],
  });
  return (kind) => ({
    sent({ id }) {
      mails.inc({ kind, result: 'sent' });
      logger.info({ message: id, kind }, 'message mailed');
    },
    failed({ id, attempts }, error, givenUp) {
      const isOverLimit = error instanceof TooManyMails;
      mails.inc({ kind, result: isOverLimit ? 'over_limit' : givenUp ? 'given_up' : 'failed' });
      logger.warn({ err: error, message: id, kind, attempts, givenUp }, 'message not mailed');
    },
  });
}

/** Limits the mails of an hour. @returns takes one; whether no other follows in this hour; throws TooManyMails */
function createHourlyLimit(
  { query }: Pick<Database, 'query'>,
  most: number,
): (mail: Claimed) => Promise<boolean> {
  const tally = createTallyStore(query, Date.now);
  const taken = () =>
    tally.total({ subject: 'limited', unit: 'hour', from: unitOf('hour', Date.now()), name: mailsCount });
  return async ({ attempts }) => {
    // Further attempts are at a mail that was counted.
    const count = attempts > 1 ? await taken() : await tally.take(mailsCount, most);
    if (count === null) throw new TooManyMails(`${most} mails were sent in this hour`);
    return count >= most;
  };
}

/** Starts mailing; without a mail server messages are only stored. */
export async function openMailing(
  environment: Environment,
  database: Database,
  { brand, domain, contact_email }: SiteConfiguration,
  metrics: Registry,
  logger: Logger,
): Promise<Mailing> {
  const { SMTP_URL, CONTACT_TO, CONTACT_FROM } = environment;
  const { ACKNOWLEDGEMENTS_PER_HOUR, MAILS_PER_HOUR } = messageVariables.read(environment);
  if (SMTP_URL === undefined || CONTACT_TO === undefined) {
    logger.info(
      'SMTP_URL and CONTACT_TO are not set: messages are kept, and shown by "npm run cli -- messages"',
    );
    return { async onStored() {}, answer: null, async close() {} };
  }
  const transport = await openMailTransport(SMTP_URL);
  const observe = createMailObserver(metrics, logger);
  const start = (
    kind: string,
    outbox: Outbox,
    send: (mail: Claimed) => Promise<void>,
    changes: Partial<Patience>,
  ) =>
    startSender(outbox, send, observe(kind), { ...patience, ...changes }, (error) =>
      logger.error({ err: error, kind }, 'messages to mail could not be read'),
    );
  const messages = createMessages(database.query, Date.now);
  const sendAs =
    (compose: (message: Message, mail: Claimed) => SendMailOptions | Promise<SendMailOptions>) =>
    async (mail: Claimed) => {
      const message = await messages.show(mail.id);
      if (message !== null) await transport.sendMail(await compose(message, mail));
    };

  const isLastOfHour = createHourlyLimit(database, MAILS_PER_HOUR);
  const route = { to: CONTACT_TO, from: CONTACT_FROM ?? CONTACT_TO, name: brand, domain };
  const toOperator = start(
    'message',
    messages,
    sendAs(async (message, mail) => composeMail(message, route, await isLastOfHour(mail))),
    { isFinal: (error) => error instanceof TooManyMails },
  );

  // Visitors see the site's public address; the operator's own stays private.
  const publicRoute = { to: contact_email, from: CONTACT_FROM ?? contact_email, name: brand, domain };
  const acknowledgements = createAcknowledgements(database.query, ACKNOWLEDGEMENTS_PER_HOUR, Date.now);
  const toVisitors = start(
    'acknowledgement',
    acknowledgements,
    sendAs((message) => composeAcknowledgement(message, publicRoute, acknowledgementWords(message, brand))),
    { maxAttempts: acknowledgementAttempts, isFinal: isRefusal },
  );

  const answers = createAnswers(database.query, Date.now);
  const ofOperator = start(
    'answer',
    answers,
    async ({ id }) => {
      const answer = await answers.show(id);
      const message = answer === null ? null : await messages.show(answer.messageId);
      if (answer !== null && message !== null)
        await transport.sendMail(composeAnswer(answer, message, publicRoute));
    },
    { isFinal: isRefusal },
  );

  return {
    async answer(messageId, text) {
      const id = await answers.plan(messageId, text);
      ofOperator.wake();
      return id;
    },
    async onStored(message) {
      toOperator.wake();
      try {
        if (await acknowledgements.plan(message)) toVisitors.wake();
      } catch (error) {
        logger.error({ err: error, message: message.id }, 'no acknowledgement planned');
      }
    },
    async close() {
      await Promise.all([toOperator.close(), toVisitors.close(), ofOperator.close()]);
      transport.close();
    },
  };
}
