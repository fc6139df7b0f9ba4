import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { ClaimLost, type PushMessage, type PushOutcome, type PushStore } from './contracts.ts';

type Messages = Omit<PushStore, 'register' | 'unregister' | 'count'>;

/** What a database takes in one statement. */
const mostValues = 500;
/** No outage of a push service lasts so long: a device that nothing could be delivered to meanwhile is forgotten. */
const longestFailingMs = 14 * 86_400_000;

function* inParts<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += mostValues) yield list.slice(at, at + mostValues);
}

const subscriberColumns = ['id', 'endpoint', 'auth', 'pdhkey'] as const;

const toMessage = (row: Selectable<Tables['push_messages']>): PushMessage => ({
  id: row.id,
  title: row.title,
  body: row.body,
  url: row.url,
  language: row.language,
  madeAt: row.made_at,
  isOpen: row.is_open === 1,
  sent: row.sent,
  gone: row.gone,
  givenUp: row.given_up,
});

/** Keeps in mind since when a device cannot be reached, and forgets it when that is too long. */
async function noteDevices(
  transaction: Transaction<Tables>,
  { sent, gone, failed }: PushOutcome,
  time: number,
): Promise<void> {
  for (const part of inParts(gone))
    await transaction.deleteFrom('push_subscriptions').where('id', 'in', part).execute();
  for (const part of inParts(sent))
    await transaction
      .updateTable('push_subscriptions')
      .set({ failing_since: null })
      .where('id', 'in', part)
      .where('failing_since', 'is not', null)
      .execute();
  for (const part of inParts(failed)) {
    await transaction
      .updateTable('push_subscriptions')
      .set({ failing_since: time })
      .where('id', 'in', part)
      .where('failing_since', 'is', null)
      .execute();
    // Where nothing at all was delivered, the fault may be ours.
    if (sent.length > 0)
      await transaction
        .deleteFrom('push_subscriptions')
        .where('id', 'in', part)
        .where('failing_since', '<', time - longestFailingMs)
        .execute();
  }
}

/** The messages: who sends them, and how far they have come. @param now milliseconds since 1970 */
export function createPushMessages(query: Kysely<Tables>, now: () => number): Messages {
  const oldestOpen = () =>
    query.selectFrom('push_messages').where('is_open', '=', sql.lit(1)).orderBy('id').limit(1);
  const claimed = (database: Kysely<Tables>, id: number, owner: string) =>
    database.updateTable('push_messages').where('id', '=', id).where('owner', '=', owner);

  return {
    async add({ title, body, url, language }) {
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

    async list(limit) {
      const rows = await query
        .selectFrom('push_messages')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toMessage);
    },

    async dueAt() {
      const row = await oldestOpen().select('owned_until').executeTakeFirst();
      return row?.owned_until ?? null;
    },

    async claim(owner, claimMs) {
      const row = await query
        .updateTable('push_messages')
        .set({ owner, owned_until: now() + claimMs })
        .where('id', '=', oldestOpen().select('id'))
        .where('owned_until', '<=', now())
        .where('is_open', '=', 1)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toMessage(row);
    },

    async renew(id, owner, claimMs) {
      await claimed(query, id, owner)
        .set({ owned_until: now() + claimMs })
        .execute();
    },

    async release(id, owner) {
      await claimed(query, id, owner).set({ owner: null, owned_until: 0 }).execute();
    },

    async nextBatch({ id, language }, owner, size) {
      const state = await claimed(query, id, owner)
        .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
        .returning(['reached', 'last', 'tries'])
        .executeTakeFirst();
      if (state === undefined) throw new ClaimLost();
      const { reached, last, tries } = state;
      if (reached >= last) return null;
      let rows = query
        .selectFrom('push_subscriptions')
        .select(subscriberColumns)
        .where('id', '>', reached)
        .where('id', '<=', last);
      if (language !== null) rows = rows.where('language', '=', language);
      const subscribers = await rows.orderBy('id').limit(size).execute();
      // A short batch is the last one: what lies behind it is in another language, or gone.
      const end = subscribers.length < size ? last : (subscribers.at(-1)?.id ?? last);
      return { subscribers, reached: end, tries };
    },

    async find(ids) {
      const found: Awaited<ReturnType<Messages['find']>>[number][] = [];
      for (const part of inParts(ids))
        found.push(
          ...(await query
            .selectFrom('push_subscriptions')
            .select(subscriberColumns)
            .where('id', 'in', part)
            .execute()),
        );
      return found;
    },

    async note({ id }, owner, outcome, reached) {
      const [sent, gone, failed] = [outcome.sent.length, outcome.gone.length, outcome.failed.length];
      // Who had failed before is counted as given up already.
      const givenUp = reached === null ? -(sent + gone) : failed;
      await query.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await claimed(transaction, id, owner)
          .set(({ eb }) => ({
            sent: eb('sent', '+', sent),
            gone: eb('gone', '+', gone),
            given_up: eb('given_up', '+', givenUp),
            tries: 0,
            ...(reached !== null && { reached }),
          }))
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) throw new ClaimLost();
        await noteDevices(transaction, outcome, now());
      });
    },

    async close(id, owner) {
      await claimed(query, id, owner).set({ is_open: 0, owner: null, owned_until: 0 }).execute();
    },
  };
}
