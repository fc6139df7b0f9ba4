import { type Kysely, sql } from 'kysely';
import type { Database, Tables } from '../../stores/contracts/database.ts';

/** Something that other processes have to hear of, because they keep pages that show it. */
export interface ContentChange {
  readonly subject: 'article' | 'category' | 'author';
  /** Language of the pages; empty for all. */
  readonly locale: string;
  /** An article's slug, a category's slug or uid, an author's id; `*` for more than would be worth naming. */
  readonly name: string;
}

/** Beyond this many, "everything" is a shorter message and quicker to apply. */
const maxNamed = 2000;

/** Names the writing of changes among the locks of a PostgreSQL server. */
const advisoryLock = 7_268_014_456;

/**
 * Records changes within the transaction that makes them. Such transactions are serialised, so that a reader of a
 * number has seen all earlier ones.
 */
export async function noteChanges(
  transaction: Kysely<Tables>,
  engine: Database['engine'],
  changes: readonly ContentChange[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  if (engine === 'postgresql') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction);
  const reported = changes.length > maxNamed ? [{ subject: 'article', locale: '', name: '*' }] : changes;
  await transaction
    .insertInto('changes')
    .values(reported.map(({ subject, locale, name }) => ({ subject, locale, name, made_at: now })))
    .execute();
}

/** Old records are useless: an instance that was away for so long has no cached pages. */
const changeRetentionMs = 86_400_000;
const maxRead = 5000;

/** Begins to read changes; those until now are passed over. */
export async function openChangeReader(query: Kysely<Tables>, now: () => number) {
  const { last: newest } = await query
    .selectFrom('changes')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  let last = newest ?? 0;
  await query
    .deleteFrom('changes')
    .where('made_at', '<', now() - changeRetentionMs)
    .execute();
  return {
    async next() {
      const rows = await query
        .selectFrom('changes')
        .select(['id', 'subject', 'locale', 'name'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(maxRead)
        .execute();
      last = rows.at(-1)?.id ?? last;
      return rows.map(({ subject, locale, name }) => ({
        subject: subject as ContentChange['subject'],
        locale,
        name,
      }));
    },
  };
}
