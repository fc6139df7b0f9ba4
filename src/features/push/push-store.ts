import { type Generated, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import {
  ClaimLost,
  type NewPushMessage,
  type OpenMessage,
  type PushMessage,
  type PushOutcome,
  type Registration,
  type Subscriber,
} from './contracts.ts';

/** A device subscribed to notifications. */
interface PushSubscriptionTable extends Registration {
  id: Generated<number>;
  made_at: number;
  seen_at: number;
  /** Time of the first failed delivery since the last success; null for none. */
  failing_since: number | null;
}

/** A notification, and how far it has come. */
interface PushMessageTable extends NewPushMessage {
  id: Generated<number>;
  made_at: number;
  /** The last subscription that had its first attempt, by number: sending resumes there. */
  reached: Generated<number>;
  /** The number of the newest subscription when the message was made. */
  last: number;
  /** 0 when nothing is left to send. */
  is_open: Generated<number>;
  sent: Generated<number>;
  gone: Generated<number>;
  given_up: Generated<number>;
}

/** The tables of this feature. */
type PushTables = {
  push_subscriptions: PushSubscriptionTable;
  push_messages: PushMessageTable;
};

/** The database with them. */
export const withPush = (database: Kysely<Tables>) => database.$extendTables<PushTables>();

const leaseName = 'push';
/** How long a sender that records no progress remains the only one. */
const claimMs = 60_000;
/** No push service is down for so long: a device that no message reaches in this time is deleted. */
const longestFailingMs = 14 * 86_400_000;

const subscriberColumns = ['id', 'endpoint', 'auth', 'pdhkey'] as const;

const messageColumns = [
  ...(['id', 'title', 'body', 'url', 'language', 'made_at as madeAt'] as const),
  ...(['is_open', 'sent', 'gone', 'given_up as givenUp'] as const),
] as const;

const toMessage = <Row extends { readonly is_open: number }>({ is_open, ...row }: Row) => ({
  ...row,
  isOpen: is_open === 1,
});

/** Saves since when a device cannot be reached, and deletes it when that is too long. */
async function noteDevices(
  transaction: Transaction<Tables>,
  { sent, gone, failed }: PushOutcome,
  time: number,
): Promise<void> {
  const query = withPush(transaction);
  const reset = query.updateTable('push_subscriptions').where('failing_since', 'is not', null);
  const start = query.updateTable('push_subscriptions').where('failing_since', 'is', null);
  const remove = query.deleteFrom('push_subscriptions');
  if (gone.length > 0) await remove.where('id', 'in', gone).execute();
  if (sent.length > 0) await reset.set({ failing_since: null }).where('id', 'in', sent).execute();
  if (failed.length === 0) return;
  await start.set({ failing_since: time }).where('id', 'in', failed).execute();
  // When nothing at all was delivered, the fault may be ours.
  if (sent.length > 0)
    await remove
      .where('id', 'in', failed)
      .where('failing_since', '<', time - longestFailingMs)
      .execute();
}

/** Subscribed devices, and the messages to them. One sender at a time sends. */
export type PushStore = ReturnType<typeof createPushStore>;

/** Subscriptions and messages in the database. @param now milliseconds since 1970 */
export function createPushStore(database: Kysely<Tables>, now: () => number) {
  const query = withPush(database);
  const leases = createLeases(database, now);
  return {
    /**
     * Stores a device; the same endpoint again updates its data.
     * @param admit called before a device is added; its errors are thrown, and nothing is stored
     */
    async register(registration: Registration, admit?: () => Promise<void>): Promise<void> {
      const known = { ...registration, seen_at: now() };
      const { numUpdatedRows } = await query
        .updateTable('push_subscriptions')
        .set(known)
        .where('endpoint', '=', known.endpoint)
        .executeTakeFirst();
      if (numUpdatedRows === 1n) return;
      await admit?.();
      await query
        .insertInto('push_subscriptions')
        .values({ ...known, made_at: now() })
        .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(known))
        .execute();
    },

    async unregister(endpoint: string): Promise<void> {
      await query.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute();
    },

    /** Number of a message's recipients. */
    async count(language: string | null): Promise<number> {
      let rows = query
        .selectFrom('push_subscriptions')
        .select(({ fn }) => fn.countAll<number | string>().as('total'));
      if (language !== null) rows = rows.where('language', '=', language);
      return Number((await rows.executeTakeFirstOrThrow()).total);
    },

    /** @returns the message's number, once it is safe on the disk */
    async add({ title, body, url, language }: NewPushMessage): Promise<number> {
      const newest = await query
        .selectFrom('push_subscriptions')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst();
      const { id } = await query
        .insertInto('push_messages')
        .values({
          ...{ title, body, url, language },
          made_at: now(),
          last: newest?.id ?? 0,
          is_open: newest?.id == null ? 0 : 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /** The newest first. */
    async list(limit: number): Promise<readonly PushMessage[]> {
      const rows = await query
        .selectFrom('push_messages')
        .select(messageColumns)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toMessage);
    },

    /**
     * Makes the owner the only sender, until a minute after its last record.
     * @param takesOver also while another one sends
     * @returns false while another one sends
     */
    claim: (owner: string, takesOver: boolean) => leases.take(leaseName, owner, claimMs, takesOver),

    /** Lets the next one send. */
    release: (owner: string) => leases.release(leaseName, owner),

    /** The oldest message that is not finished; null when there is none. */
    async oldestOpen(): Promise<OpenMessage | null> {
      const row = await query
        .selectFrom('push_messages')
        .select([...messageColumns, 'reached', 'last'])
        .where('is_open', '=', sql.lit(1))
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : toMessage(row);
    },

    /**
     * The next subscribers of a message, and the last subscription with a first attempt once they are recorded.
     * @returns null when all subscribers had their first attempt
     */
    async nextBatch({ last, language }: OpenMessage, reached: number, size: number) {
      if (reached >= last) return null;
      let rows = query
        .selectFrom('push_subscriptions')
        .select(subscriberColumns)
        .where('id', '>', reached)
        .where('id', '<=', last);
      if (language !== null) rows = rows.where('language', '=', language);
      const subscribers = await rows.orderBy('id').limit(size).execute();
      // A short batch is the last one: the rest is in another language, or deleted.
      const end = subscribers.length < size ? last : (subscribers.at(-1)?.id ?? last);
      return { subscribers, reached: end };
    },

    /** Subscribers by number; deleted ones are left out. */
    find: (ids: readonly number[]): Promise<readonly Subscriber[]> =>
      query.selectFrom('push_subscriptions').select(subscriberColumns).where('id', 'in', ids).execute(),

    /**
     * Records a batch's results, all or nothing.
     * @param reached of the batch; null for a second attempt
     * @throws ClaimLost
     */
    async note(
      { id }: OpenMessage,
      owner: string,
      outcome: PushOutcome,
      reached: number | null,
    ): Promise<void> {
      const [sent, gone, failed] = [outcome.sent.length, outcome.gone.length, outcome.failed.length];
      // Subscribers of a second try are counted as given up already.
      const givenUp = reached === null ? -(sent + gone) : failed;
      await database.transaction().execute(async (transaction) => {
        if (!(await createLeases(transaction, now).renew(leaseName, owner, claimMs))) throw new ClaimLost();
        await withPush(transaction)
          .updateTable('push_messages')
          .set(({ eb }) => ({
            sent: eb('sent', '+', sent),
            gone: eb('gone', '+', gone),
            given_up: eb('given_up', '+', givenUp),
            ...(reached !== null && { reached }),
          }))
          .where('id', '=', id)
          .execute();
        await noteDevices(transaction, outcome, now());
      });
    },

    /** Closes a completed message. */
    async close(id: number): Promise<void> {
      await query.updateTable('push_messages').set({ is_open: 0 }).where('id', '=', id).execute();
    },
  };
}
