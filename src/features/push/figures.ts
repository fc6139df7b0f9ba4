import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { withPush } from './tables.ts';

/** Subscribers of open messages that lie behind what their message has reached. */
const untried = (query: ReturnType<typeof withPush>) =>
  query
    .selectFrom('push_messages')
    .innerJoin('push_subscriptions', (join) =>
      join
        .onRef('push_subscriptions.id', '>', 'push_messages.reached')
        .onRef('push_subscriptions.id', '<=', 'push_messages.last'),
    )
    .where('is_open', '=', sql.lit(1))
    .where(({ eb, or, ref }) =>
      or([
        eb('push_messages.language', 'is', null),
        eb('push_messages.language', '=', ref('push_subscriptions.language')),
      ]),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('total'));

/** Numbers of devices and of notifications, of all messages there ever were. */
export type PushFigures = Awaited<ReturnType<typeof readPushFigures>>;

/** The database's figures on notifications, whichever process has sent them. */
export async function readPushFigures(database: Kysely<Tables>) {
  const query = withPush(database);
  const first = await untried(query).executeTakeFirstOrThrow();
  const devices = await query
    .selectFrom('push_subscriptions')
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const done = await query
    .selectFrom('push_messages')
    .select(({ fn }) => [
      fn.sum<number | string | null>('sent').as('sent'),
      fn.sum<number | string | null>('gone').as('gone'),
      fn.sum<number | string | null>('given_up').as('givenUp'),
    ])
    .executeTakeFirstOrThrow();
  return {
    subscriptions: Number(devices.total),
    /** Not yet attempted. */
    queued: Number(first.total),
    sent: Number(done.sent),
    gone: Number(done.gone),
    givenUp: Number(done.givenUp),
  };
}
