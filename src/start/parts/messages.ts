import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { createRateLimit } from '../../server/http/rate-limits.ts';
import { createMessageDesk, type MessageDesk } from '../../server/message-desk.ts';
import type { Database } from '../../stores/contracts/database.ts';
import { composeMail } from '../../visitors/messages/compose.ts';
import { createMessages, type Message } from '../../visitors/messages/messages.ts';
import { type Outbox, startOutbox } from '../../visitors/messages/outbox.ts';
import type { Environment } from '../process/environment.ts';

const hourS = 3600;
/** A mail server that says nothing for this long is as good as away. */
const sendLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** What takes messages, and what mails them. */
export interface MessageParts {
  readonly desk: MessageDesk;
  close(): Promise<void>;
}

const idle: Outbox = { wake() {}, async close() {} };

async function openOutbox(
  environment: Environment,
  database: Database,
  domain: string,
  metrics: Registry,
  logger: Logger,
): Promise<Outbox> {
  const { SMTP_URL, CONTACT_TO, CONTACT_FROM } = environment;
  if (SMTP_URL === undefined || CONTACT_TO === undefined) {
    logger.info(
      'SMTP_URL and CONTACT_TO are not set: messages are kept, and shown by "npm run cli -- messages"',
    );
    return idle;
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: SMTP_URL, ...sendLimits });
  const mails = new Counter({
    name: 'clipferry_mails_total',
    help: 'Messages handed to the mail server, and attempts that failed.',
    labelNames: ['result'],
    registers: [metrics],
  });
  const route = { to: CONTACT_TO, from: CONTACT_FROM ?? CONTACT_TO, domain };
  const send = async (message: Message) => {
    await transport.sendMail(composeMail(message, route));
  };
  const outbox = startOutbox(createMessages(database.query, Date.now), send, {
    sent: ({ id }) => {
      mails.inc({ result: 'sent' });
      logger.info({ message: id }, 'message mailed');
    },
    failed: ({ id, mailAttempts }, error, givenUp) => {
      mails.inc({ result: givenUp ? 'given_up' : 'failed' });
      logger.warn({ err: error, message: id, attempts: mailAttempts, givenUp }, 'message not mailed');
    },
    broken: (error) => logger.error({ err: error }, 'messages to mail could not be read'),
  });
  return {
    wake: outbox.wake,
    async close() {
      await outbox.close();
      transport.close();
    },
  };
}

/** Puts together what visitors write to the operator through. */
export async function assembleMessages(
  environment: Environment,
  database: Database,
  domain: string,
  metrics: Registry,
  logger: Logger,
): Promise<MessageParts> {
  const outbox = await openOutbox(environment, database, domain, metrics, logger);
  const limit = createRateLimit(environment.MESSAGES_PER_HOUR, hourS);
  const desk = createMessageDesk(createMessages(database.query, Date.now), outbox, limit);
  return { desk, close: () => outbox.close() };
}
