import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { writtenColumns } from '../../stores/contracts/tables/article-table.ts';
import { namesOf, writeRow } from '../../stores/contracts/tables/columns.ts';
import type { ArticleToSave } from '../content.ts';
import { listName, markList } from '../reading/listings.ts';

/** Rows for each statement: SQLite takes 32,766 values in one, an article has nineteen. */
const batchSize = 250;

const columnNames = namesOf(writtenColumns);

/** Lists with changed entries, to be marked once at the end. */
export type TouchedLists = Map<string, Set<string>>;

function touch(touched: TouchedLists, locale: string, list: string): void {
  const lists = touched.get(locale) ?? new Set();
  touched.set(locale, lists.add(list));
}

/** The lists that contain an article. */
function listsOf(
  article: { category_id: number; author_id: string },
  parents: ReadonlyMap<number, number | null>,
): string[] {
  const lists = [listName('all'), listName({ author: article.author_id })];
  for (let id: number | null = article.category_id; id !== null; id = parents.get(id) ?? null)
    lists.push(listName({ category: id }));
  return lists;
}

async function parentsOfCategories(query: Kysely<Tables>): Promise<Map<number, number | null>> {
  const rows = await query.selectFrom('categories').select(['id', 'parent_id']).execute();
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
}

/** Takes articles out of all lists. */
async function unlist(
  transaction: Kysely<Tables>,
  ids: readonly number[],
  touched: TouchedLists,
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await transaction
    .deleteFrom('listings')
    .where('article_id', 'in', ids)
    .returning(['locale', 'list'])
    .execute();
  for (const { locale, list } of rows) touch(touched, locale, list);
}

/** An address that another article of the batch takes over has to be free when that one is written. */
async function freeSlugs(transaction: Kysely<Tables>, batch: readonly ArticleToSave[]): Promise<void> {
  const before = await transaction
    .selectFrom('articles')
    .select(['id', 'key', 'locale', 'slug'])
    .where(
      'key',
      'in',
      batch.map(({ key }) => key),
    )
    .execute();
  const slugs = new Map(batch.map(({ key, locale, slug }) => [`${locale}/${key}`, slug]));
  for (const { id, key, locale, slug } of before) {
    const next = slugs.get(`${locale}/${key}`);
    if (next === undefined || next === slug) continue;
    await transaction
      .updateTable('articles')
      .set({ slug: `/${id}` })
      .where('id', '=', id)
      .execute();
  }
}

async function saveBatch(
  transaction: Kysely<Tables>,
  batch: readonly ArticleToSave[],
  parents: ReadonlyMap<number, number | null>,
  touched: TouchedLists,
  unpublishedAt: number | null,
): Promise<void> {
  const saved = await transaction
    .insertInto('articles')
    .values(batch.map((article) => ({ ...writeRow(writtenColumns, article), unpublished_at: unpublishedAt })))
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'locale'])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(columnNames.map((name) => [name, ref(`excluded.${name}`)])),
        ),
    )
    .returning(listedColumns)
    .execute();
  await unlist(
    transaction,
    saved.map(({ id }) => id),
    touched,
  );
  await enlist(
    transaction,
    saved.filter(({ unpublished_at }) => unpublished_at === null),
    parents,
    touched,
  );
}

/** The columns that the lists read. */
const listedColumns = ['id', 'locale', 'category_id', 'author_id', 'published_at', 'unpublished_at'] as const;

type ListedRow = Pick<Selectable<Tables['articles']>, (typeof listedColumns)[number]>;

/** Puts articles into their lists. */
async function enlist(
  transaction: Kysely<Tables>,
  rows: readonly ListedRow[],
  parents: ReadonlyMap<number, number | null>,
  touched: TouchedLists,
): Promise<void> {
  const entries = rows.flatMap((row) =>
    listsOf(row, parents).map((list) => ({
      locale: row.locale,
      list,
      published_at: row.published_at,
      article_id: row.id,
    })),
  );
  if (entries.length === 0) return;
  await transaction.insertInto('listings').values(entries).execute();
  for (const { locale, list } of entries) touch(touched, locale, list);
}

/**
 * Writes new and changed articles, and keeps their views and whether they are published. Part of a transaction that
 * ends with {@link markTouched}.
 * @param unpublishedAt of those that are new: null for articles that are shown at once
 */
export async function saveArticles(
  transaction: Kysely<Tables>,
  articles: readonly ArticleToSave[],
  touched: TouchedLists,
  unpublishedAt: number | null = null,
): Promise<void> {
  const parents = await parentsOfCategories(transaction);
  for (let at = 0; at < articles.length; at += batchSize)
    await freeSlugs(transaction, articles.slice(at, at + batchSize));
  for (let at = 0; at < articles.length; at += batchSize) {
    const batch = articles.slice(at, at + batchSize);
    await saveBatch(transaction, batch, parents, touched, unpublishedAt);
  }
}

/** Deletes articles by their number. Part of a transaction, which ends with {@link markTouched}. */
export async function deleteArticles(
  transaction: Kysely<Tables>,
  ids: readonly number[],
  touched: TouchedLists,
): Promise<void> {
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = ids.slice(at, at + batchSize);
    await unlist(transaction, batch, touched);
    await transaction.deleteFrom('articles').where('id', 'in', batch).execute();
  }
}

/**
 * Takes articles out of all lists and addresses, or puts them back. Part of a transaction, which ends with
 * {@link markTouched}.
 * @param at null puts them back
 */
export async function setUnpublished(
  transaction: Kysely<Tables>,
  ids: readonly number[],
  at: number | null,
  touched: TouchedLists,
): Promise<void> {
  const parents = await parentsOfCategories(transaction);
  for (let from = 0; from < ids.length; from += batchSize) {
    const batch = ids.slice(from, from + batchSize);
    // First: an import that is writing one of them is waited for, or waits.
    const rows = await transaction
      .updateTable('articles')
      .set({ unpublished_at: at })
      .where('id', 'in', batch)
      .returning(listedColumns)
      .execute();
    await unlist(transaction, batch, touched);
    if (at === null) await enlist(transaction, rows, parents, touched);
  }
}

/** Recounts and re-marks every list with changed entries, in one order, so that no two wait for each other. */
export async function markTouched(transaction: Kysely<Tables>, touched: TouchedLists): Promise<void> {
  for (const locale of [...touched.keys()].sort())
    for (const list of [...(touched.get(locale) ?? [])].sort()) await markList(transaction, locale, list);
}
