import type { Kysely } from 'kysely';
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
): Promise<void> {
  const saved = await transaction
    .insertInto('articles')
    .values(batch.map((article) => writeRow(writtenColumns, article)))
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'locale'])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(columnNames.map((name) => [name, ref(`excluded.${name}`)])),
        ),
    )
    .returning(['id', 'locale', 'category_id', 'author_id', 'published_at'])
    .execute();
  await unlist(
    transaction,
    saved.map(({ id }) => id),
    touched,
  );
  const entries = saved.flatMap((row) =>
    listsOf(row, parents).map((list) => ({
      locale: row.locale,
      list,
      published_at: row.published_at,
      article_id: row.id,
    })),
  );
  await transaction.insertInto('listings').values(entries).execute();
  for (const { locale, list } of entries) touch(touched, locale, list);
}

/**
 * Writes new and changed articles and keeps their views. Part of a transaction that ends with {@link markTouched}.
 * @param onSaved called with the number written so far
 */
export async function saveArticles(
  transaction: Kysely<Tables>,
  articles: readonly ArticleToSave[],
  touched: TouchedLists,
  onSaved: (count: number) => void = () => {},
): Promise<void> {
  const parents = await parentsOfCategories(transaction);
  for (let at = 0; at < articles.length; at += batchSize)
    await freeSlugs(transaction, articles.slice(at, at + batchSize));
  for (let at = 0; at < articles.length; at += batchSize) {
    const batch = articles.slice(at, at + batchSize);
    await saveBatch(transaction, batch, parents, touched);
    onSaved(at + batch.length);
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

/** Recounts and re-marks every list with changed entries. */
export async function markTouched(transaction: Kysely<Tables>, touched: TouchedLists): Promise<void> {
  for (const [locale, lists] of touched) for (const list of lists) await markList(transaction, locale, list);
}
