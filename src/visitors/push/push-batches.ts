import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { BatchOutcome, PushStore } from './contracts.ts';

type Batches = Pick<PushStore, 'nextBatch' | 'settle'>;

/** What a database takes in one statement. */
const mostValues = 500;

function* inParts<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += mostValues) yield list.slice(at, at + mostValues);
}

const subscriberColumns = [
  'push_subscriptions.id',
  'push_subscriptions.endpoint',
  'push_subscriptions.auth',
  'push_subscriptions.pdhkey',
  'push_subscriptions.diff_time as diffTimeS',
] as const;

/** Plans further tries of a message. Who has unsubscribed meanwhile is left out. */
async function addRetries(transaction: Transaction<Tables>, messageId: number, later: BatchOutcome['later']) {
  for (const part of inParts(later)) {
    const ids = part.map((one) => one.id);
    const there = await transaction
      .selectFrom('push_subscriptions')
      .select('id')
      .where('id', 'in', ids)
      .execute();
    const known = new Set(there.map((row) => row.id));
    const rows = part
      .filter((one) => known.has(one.id))
      .map((one) => ({
        message_id: messageId,
        subscription_id: one.id,
        attempts: one.attempts,
        next_at: one.nextAt,
      }));
    if (rows.length > 0) await transaction.insertInto('push_retries').values(rows).execute();
  }
}

/**
 * The devices that a message goes to, some at a time, and what has become of it there.
 * @param now milliseconds since 1970
 */
export function createPushBatches(query: Kysely<Tables>, now: () => number): Batches {
  return {
    async nextBatch(message, size) {
      const { reached, last } = await query
        .selectFrom('push_messages')
        .select(['reached', 'last'])
        .where('id', '=', message.id)
        .executeTakeFirstOrThrow();
      if (reached < last) {
        let rows = query
          .selectFrom('push_subscriptions')
          .select(subscriberColumns)
          .where('id', '>', reached)
          .where('id', '<=', last);
        if (message.language !== null) rows = rows.where('language', '=', message.language);
        const found = await rows.orderBy('id').limit(size).execute();
        const subscribers = found.map((row) => ({ ...row, attempts: 0 }));
        // A short batch is the last one: what lies behind it is in another language, or gone.
        return { subscribers, reached: found.length < size ? last : (found.at(-1)?.id ?? last) };
      }
      const subscribers = await query
        .selectFrom('push_retries')
        .innerJoin('push_subscriptions', 'push_subscriptions.id', 'push_retries.subscription_id')
        .select([...subscriberColumns, 'push_retries.attempts'])
        .where('message_id', '=', message.id)
        .where('next_at', '<=', now())
        .orderBy('next_at')
        .limit(size)
        .execute();
      return subscribers.length === 0 ? null : { subscribers, reached: null };
    },

    async settle({ id }, { subscribers, reached }, { sent, gone, givenUp, later }) {
      await query.transaction().execute(async (transaction) => {
        if (reached === null)
          for (const part of inParts(subscribers))
            await transaction
              .deleteFrom('push_retries')
              .where('message_id', '=', id)
              .where(
                'subscription_id',
                'in',
                part.map((one) => one.id),
              )
              .execute();
        for (const part of inParts(gone))
          await transaction.deleteFrom('push_subscriptions').where('id', 'in', part).execute();
        await addRetries(transaction, id, later);
        await transaction
          .updateTable('push_messages')
          .set(({ eb }) => ({
            sent: eb('sent', '+', sent.length),
            gone: eb('gone', '+', gone.length),
            given_up: eb('given_up', '+', givenUp.length),
            ...(reached !== null && { reached }),
          }))
          .where('id', '=', id)
          .execute();
        await transaction
          .updateTable('push_messages')
          .set({ is_open: 0 })
          .where('id', '=', id)
          .whereRef('reached', '>=', 'last')
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('push_retries').select('message_id').where('message_id', '=', id))),
          )
          .execute();
      });
    },
  };
}
