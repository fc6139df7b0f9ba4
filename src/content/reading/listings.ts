import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { summaryColumns } from '../../stores/contracts/tables/article-table.ts';
import { namesOf, type RowOf, readRow } from '../../stores/contracts/tables/columns.ts';
import type { ArticleList, ArticlePage, ArticleSummary } from '../content.ts';

/** Columns of `articles` that a list needs; the body stays where it is. */
export const selectSummary = namesOf(summaryColumns).map((name) => `articles.${name}` as const);

/** An article as lists show it. @throws SyntaxError for stored text that is not JSON */
export const toSummary = (row: RowOf<typeof summaryColumns>): ArticleSummary => readRow(summaryColumns, row);

/** Every how many entries a list has a mark; a page is reached by passing over fewer than that. */
const markEvery = 100;

/** The name of a list in the table. */
export function listName(list: ArticleList): string {
  if (list === 'all') return 'all';
  return 'category' in list ? `category:${list.category}` : `author:${list.author}`;
}

interface Place {
  readonly published_at: number;
  readonly article_id: number;
}

interface Wanted {
  readonly locale: string;
  readonly list: string;
  readonly size: number;
  /** Entries to pass over. */
  readonly offset: number;
  /** Start with this entry or after it; null for the start of the list. */
  readonly from: (Place & { readonly inclusive: boolean }) | null;
}

/**
 * The articles of a list, in order. Skipped entries are read from the list only: just the shown articles are looked up.
 */
async function readEntries(
  query: Kysely<Tables>,
  { locale, list, size, offset, from }: Wanted,
): Promise<ArticleSummary[]> {
  const rows = await query
    .selectFrom(({ selectFrom }) => {
      const all = selectFrom('listings')
        .select(['published_at', 'article_id'])
        .where('locale', '=', locale)
        .where('list', '=', list)
        .orderBy('published_at', 'desc')
        .orderBy('article_id', 'desc')
        .limit(size)
        .offset(offset);
      const some =
        from === null
          ? all
          : all.where(({ eb, refTuple, tuple }) =>
              eb(
                refTuple('published_at', 'article_id'),
                from.inclusive ? '<=' : '<',
                tuple(from.published_at, from.article_id),
              ),
            );
      return some.as('entries');
    })
    .innerJoin('articles', 'articles.id', 'entries.article_id')
    .select(selectSummary)
    .orderBy('entries.published_at', 'desc')
    .orderBy('entries.article_id', 'desc')
    .execute();
  return rows.map(toSummary);
}

/** {@link Content.articles}: two short walks along indexes, however long the list and however far the page. */
export async function readListPage(
  query: Kysely<Tables>,
  { locale, list, page, size }: { locale: string; list: ArticleList; page: number; size: number },
): Promise<ArticlePage> {
  const name = listName(list);
  const skipped = (page - 1) * size;
  const place = skipped - (skipped % markEvery);
  const found = await query
    .selectFrom('listing_totals as totals')
    .leftJoin('listing_marks as marks', (join) =>
      join
        .onRef('marks.locale', '=', 'totals.locale')
        .onRef('marks.list', '=', 'totals.list')
        .on('marks.place', '=', place),
    )
    .select(['totals.total', 'marks.published_at', 'marks.article_id'])
    .where('totals.locale', '=', locale)
    .where('totals.list', '=', name)
    .executeTakeFirst();
  const total = found?.total ?? 0;
  const pages = Math.ceil(total / size);
  const { published_at = null, article_id = null } = found ?? {};
  if (published_at === null || article_id === null || skipped >= total)
    return { articles: [], total, page, pages };
  const articles = await readEntries(query, {
    locale,
    list: name,
    size,
    offset: skipped - place,
    from: { published_at, article_id, inclusive: true },
  });
  return { articles, total, page, pages };
}

/** The newest of a list, or those before an article in time. */
export async function readNewest(
  query: Kysely<Tables>,
  asked: { locale: string; list: ArticleList; size: number; start?: number; before?: ArticleSummary },
): Promise<ArticleSummary[]> {
  const { locale, list, size, start = 0, before } = asked;
  const from =
    before === undefined
      ? null
      : { published_at: before.publishedAt, article_id: before.id, inclusive: false };
  return readEntries(query, { locale, list: listName(list), size, offset: start, from });
}

/** Length of each list of a language. */
export async function listLengths(query: Kysely<Tables>, locale: string): Promise<Map<string, number>> {
  const rows = await query
    .selectFrom('listing_totals')
    .select(['list', 'total'])
    .where('locale', '=', locale)
    .execute();
  return new Map(rows.map(({ list, total }) => [list, total]));
}

/** Recounts and re-marks a list after its entries changed, within the transaction that changed them. */
export async function markList(query: Kysely<Tables>, locale: string, list: string): Promise<void> {
  // First, because it waits for any other transaction that marks this list, and then sees what that one has changed.
  await query
    .insertInto('listing_totals')
    .values({ locale, list, total: 0 })
    .onConflict((conflict) => conflict.columns(['locale', 'list']).doUpdateSet({ total: 0 }))
    .execute();
  await query.deleteFrom('listing_marks').where('locale', '=', locale).where('list', '=', list).execute();
  await query
    .updateTable('listing_totals')
    .set({
      total: sql<number>`(select count(*) from listings where locale = ${locale} and list = ${list})`,
    })
    .where('locale', '=', locale)
    .where('list', '=', list)
    .execute();
  await query
    .deleteFrom('listing_totals')
    .where('locale', '=', locale)
    .where('list', '=', list)
    .where('total', '=', 0)
    .execute();
  await sql`
    insert into listing_marks (locale, list, place, published_at, article_id)
    select locale, list, number - 1, published_at, article_id
    from (
      select locale, list, published_at, article_id,
        row_number() over (order by published_at desc, article_id desc) as number
      from listings where locale = ${locale} and list = ${list}
    ) as numbered
    where (number - 1) % ${sql.lit(markEvery)} = 0`.execute(query);
}
