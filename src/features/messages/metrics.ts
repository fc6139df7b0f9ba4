import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Database, Tables } from '../../stores/contracts/database.ts';
import { withMessages } from './messages.ts';

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
export function watchMessages(
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
