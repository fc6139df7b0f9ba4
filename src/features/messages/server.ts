import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { startRetentionJob } from '../../process/periodic.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { StoredLimit } from '../../server/http/limits/stored-quota.ts';
import { blockFactor } from '../../server/http/limits/visitor-limits.ts';
import { messageReceiver } from '../../server/rendering/site-services.ts';
import type { Database, Tables } from '../../stores/contracts/database.ts';
import { messageEndpoints, messagePaths } from './endpoints.ts';
import { openMailing } from './mail/mailing.ts';
import { createAnswers } from './mail/to-visitors.ts';
import { createMessageReceiver } from './message-receiver.ts';
import { createMessages, withMessages } from './messages.ts';
import { messageVariables } from './variables.ts';

const hourS = 3600;
/** All visitors together may leave this multiple of one visitor's messages. */
const allFactor = 50;
/** A message is rarely longer than a few thousand letters; a block's longest ones find room as well. */
const usualBytes = 4096;

const storedLimit = (perVisitor: number): StoredLimit => ({
  periodS: hourS,
  block: { rows: perVisitor * blockFactor, bytes: perVisitor * blockFactor * usualBytes * 2 },
  all: { rows: perVisitor * allFactor, bytes: perVisitor * allFactor * usualBytes },
});

/** Opens the receiver of visitors' messages, and the mailing. */
export default async function openMessages({
  environment,
  database,
  configuration,
  metrics,
  logger,
  rateLimits,
  quotas,
}: Core): Promise<FeatureServer> {
  const mailing = await openMailing(environment, database, configuration, metrics, logger);
  const {
    MESSAGES_PER_HOUR: perVisitor,
    MESSAGES_DAYS: days,
    ACKNOWLEDGEMENTS_PER_HOUR,
  } = messageVariables.read(environment);
  const acknowledges = mailing.answer !== null && ACKNOWLEDGEMENTS_PER_HOUR > 0;
  const messages = createMessages(database.query, Date.now);
  watchMessages(database, metrics, logger);
  const receiveMessage = createMessageReceiver(
    messages,
    mailing.onStored,
    rateLimits.create('messages', perVisitor, hourS),
    quotas.create('messages', [storedLimit(perVisitor)]),
  );
  const endDeleting = startRetentionJob({
    deleteOld: () =>
      messages.expire(days).then(
        (deleted) => deleted > 0 && logger.info({ messages: deleted }, 'old messages deleted'),
        (error: unknown) => logger.error({ err: error }, 'old messages could not be deleted'),
      ),
    logger,
  });
  return {
    legal: { messages_days: String(days), acknowledgements: acknowledges ? 'yes' : '' },
    services: messageReceiver.provide(receiveMessage),
    routes: (app) => messageEndpoints(app, receiveMessage, configuration),
    paths: messagePaths,
    async desk() {
      const { messagesPage } = await import('./desk/page.ts');
      return [messagesPage({ messages, answers: createAnswers(database.query, Date.now), mailing })];
    },
    async close() {
      await Promise.all([mailing.close(), endDeleting()]);
    },
  };
}

/** Number of rows by state of their mail. */
async function countByMailState(database: Kysely<Tables>, table: 'messages' | 'acknowledgements') {
  const rows = await withMessages(database)
    // Cast: Kysely needs one table name; both have the column.
    .selectFrom(table as 'messages')
    .select(({ fn }) => ['state as mail', fn.countAll<number | string>().as('total')])
    .groupBy('state')
    .execute();
  return rows.map(({ mail, total }) => ({ mail, total: Number(total) }));
}

const gauges = [
  {
    table: 'messages',
    name: 'clipferry_messages',
    help: 'Messages of visitors that are kept, by the state of the mail to the operator; the same on every instance.',
  },
  {
    table: 'acknowledgements',
    name: 'clipferry_acknowledgements',
    help: 'Mails to visitors of the last day, by their state; the same on every instance.',
  },
] as const;

/** Exposes the number of stored messages and waiting mails: each scrape queries the database. */
function watchMessages(
  { query }: Pick<Database, 'query'>,
  metrics: Registry,
  logger: Pick<Logger, 'error'>,
): void {
  for (const { table, name, help } of gauges)
    new Gauge({
      name,
      help,
      labelNames: ['mail'],
      registers: [metrics],
      async collect() {
        try {
          const counts = await countByMailState(query, table);
          this.reset();
          for (const { mail, total } of counts) this.set({ mail }, total);
        } catch (error) {
          logger.error({ err: error, table }, 'messages could not be counted');
        }
      },
    });
}
