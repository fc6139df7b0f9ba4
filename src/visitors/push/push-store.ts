import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { PushMessage, PushStore, Registration } from './contracts.ts';

const toMessage = (row: Selectable<Tables['push_messages']>): PushMessage => ({
  id: row.id,
  title: row.title,
  body: row.body,
  url: row.url,
  language: row.language,
  isQuiet: row.quiet === 1,
  madeAt: row.made_at,
  isOpen: row.is_open === 1,
  sent: row.sent,
  gone: row.gone,
  givenUp: row.given_up,
});

/** What a database takes in one statement. */
const mostValues = 500;

function* inParts<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += mostValues) yield list.slice(at, at + mostValues);
}

/** @param now milliseconds since 1970 */
export function createPushStore(query: Kysely<Tables>, now: () => number): PushStore {
  const subscriberColumns = [
    'push_subscriptions.id',
    'push_subscriptions.endpoint',
    'push_subscriptions.auth',
    'push_subscriptions.pdhkey',
    'push_subscriptions.diff_time as diffTimeS',
  ] as const;

  /** Open messages that have first tries left, or further ones whose time has come. */
  const due = () =>
    query
      .selectFrom('push_messages')
      .where('is_open', '=', sql.lit(1))
      .where(({ eb, or, exists, selectFrom, ref }) =>
        or([
          eb('reached', '<', ref('last')),
          exists(
            selectFrom('push_retries')
              .select('message_id')
              .whereRef('message_id', '=', 'push_messages.id')
              .where('next_at', '<=', now()),
          ),
        ]),
      );
  const unowned = () => due().where('owned_until', '<=', now());

  /** @returns whether there was such an endpoint */
  const replace = (
    endpoint: string,
    { language: _, ...known }: Registration & { readonly seen_at: number },
  ) =>
    query.transaction().execute(async (transaction) => {
      if (endpoint !== known.endpoint)
        await transaction.deleteFrom('push_subscriptions').where('endpoint', '=', known.endpoint).execute();
      const { numUpdatedRows } = await transaction
        .updateTable('push_subscriptions')
        .set(known)
        .where('endpoint', '=', endpoint)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });

  return {
    async register(registration, replaces) {
      const known = { ...registration, seen_at: now() };
      if (replaces !== undefined && (await replace(replaces, known))) return;
      await query
        .insertInto('push_subscriptions')
        .values({ ...known, made_at: now() })
        .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(known))
        .execute();
    },

    async unregister(endpoint) {
      await query.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute();
    },

    async count(language) {
      let rows = query
        .selectFrom('push_subscriptions')
        .select(({ fn }) => fn.countAll<number | string>().as('total'));
      if (language !== null) rows = rows.where('language', '=', language);
      return Number((await rows.executeTakeFirstOrThrow()).total);
    },

    async add({ title, body, url, language, isQuiet }) {
      const newest = await query
        .selectFrom('push_subscriptions')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst();
      const { id } = await query
        .insertInto('push_messages')
        .values({
          title,
          body,
          url,
          language,
          quiet: isQuiet ? 1 : 0,
          made_at: now(),
          last: newest?.id ?? 0,
          is_open: newest?.id == null ? 0 : 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async take(owner, leaseMs) {
      const row = await query
        .updateTable('push_messages')
        .set({ owner, owned_until: now() + leaseMs })
        .where('id', '=', unowned().select('id').orderBy('id').limit(1))
        .where('owned_until', '<=', now())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toMessage(row);
    },

    async renew(id, owner, leaseMs) {
      const { numUpdatedRows } = await query
        .updateTable('push_messages')
        .set({ owned_until: now() + leaseMs })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async release(id, owner) {
      await query
        .updateTable('push_messages')
        .set({ owner: null, owned_until: 0 })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .execute();
    },

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
        for (const part of inParts(later)) {
          const ids = part.map((one) => one.id);
          // Who has unsubscribed meanwhile is left out.
          const there = await transaction
            .selectFrom('push_subscriptions')
            .select('id')
            .where('id', 'in', ids)
            .execute();
          const known = new Set(there.map((row) => row.id));
          const rows = part
            .filter((one) => known.has(one.id))
            .map((one) => ({
              message_id: id,
              subscription_id: one.id,
              attempts: one.attempts,
              next_at: one.nextAt,
            }));
          if (rows.length > 0) await transaction.insertInto('push_retries').values(rows).execute();
        }
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

    async waiting(id) {
      let rows = query
        .selectFrom('push_retries')
        .select(({ fn }) => [fn.countAll<number | string>().as('total'), fn.min('next_at').as('next')]);
      if (id !== null) rows = rows.where('message_id', '=', id);
      const { total, next } = await rows.executeTakeFirstOrThrow();
      return Number(total) === 0 ? null : { count: Number(total), nextAt: Number(next) };
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

    async nextWorkAt() {
      const owned = await due()
        .select(({ fn }) => fn.min('owned_until').as('at'))
        .executeTakeFirst();
      if (owned?.at != null) return Number(owned.at);
      const retry = await query
        .selectFrom('push_retries')
        .select(({ fn }) => fn.min('next_at').as('at'))
        .executeTakeFirst();
      return retry?.at == null ? null : Number(retry.at);
    },
  };
}
