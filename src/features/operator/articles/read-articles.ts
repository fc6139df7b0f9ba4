import type { Kysely } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import { pageColumns } from '../../../stores/contracts/tables/article-table.ts';
import { namesOf, readRow } from '../../../stores/contracts/tables/columns.ts';

/** An article in one language, as the desk lists it. */
interface ListedLanguage {
  readonly locale: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** Null for one that is shown. */
  readonly unpublishedAt: number | null;
}

/** An article with all its languages. */
export interface ListedArticle {
  readonly key: string;
  readonly languages: readonly ListedLanguage[];
}

/** Which articles are listed. */
export interface Wanted {
  /** The beginning of a key, or an article's address; empty for all. */
  readonly find: string;
  readonly isUnpublished: boolean;
  /** The key that a page begins after; empty for the first page. */
  readonly after: string;
  readonly size: number;
  /** The site's languages; an address is looked for in each. */
  readonly locales: readonly string[];
}

/** Keys in their order. */
async function readKeys(query: Kysely<Tables>, wanted: Wanted): Promise<string[]> {
  const { find, isUnpublished, after, size, locales } = wanted;
  let rows = query.selectFrom('articles').select('key').distinct().where('key', '>', after);
  if (isUnpublished) rows = rows.where('unpublished_at', 'is not', null);
  if (find !== '')
    rows = rows.where(({ or, eb, selectFrom }) =>
      or([
        eb(
          'key',
          'in',
          selectFrom('articles').select('key').where('locale', 'in', locales).where('slug', '=', find),
        ),
        // Nothing else is part of a key, and no order of letters comes into it: databases have several.
        ...(/^[a-z0-9-]+$/.test(find) ? [eb('key', 'like', `${find}%`)] : []),
      ]),
    );
  const found = await rows.orderBy('key').limit(size).execute();
  return found.map(({ key }) => key);
}

/** A part of all articles, each with its languages in the order of their names. */
export async function listArticles(query: Kysely<Tables>, wanted: Wanted): Promise<ListedArticle[]> {
  const keys = await readKeys(query, wanted);
  if (keys.length === 0) return [];
  const rows = await query
    .selectFrom('articles')
    .select(['key', 'locale', 'title'])
    .select(['updated_at as updatedAt', 'unpublished_at as unpublishedAt'])
    .where('key', 'in', keys)
    .orderBy('key')
    .orderBy('locale')
    .execute();
  return [...Map.groupBy(rows, ({ key }) => key)].map(([key, languages]) => ({ key, languages }));
}

/** An article in one language, whether it is shown or not; null when there is none. */
export async function readArticle(query: Kysely<Tables>, key: string, locale: string) {
  const row = await query
    .selectFrom('articles')
    .select(namesOf(pageColumns))
    .select('unpublished_at')
    .where('key', '=', key)
    .where('locale', '=', locale)
    .executeTakeFirst();
  return row === undefined ? null : { article: readRow(pageColumns, row), unpublishedAt: row.unpublished_at };
}
