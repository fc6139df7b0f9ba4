import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { PushMessage, PushStore } from './contracts.ts';

type Queue = Pick<PushStore, 'add' | 'take' | 'renew' | 'release' | 'waiting' | 'list' | 'nextWorkAt'>;

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

/** The messages, which of them are due, and who sends them. @param now milliseconds since 1970 */
export function createPushQueue(query: Kysely<Tables>, now: () => number): Queue {
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

  return {
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
