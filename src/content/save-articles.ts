import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '../stores/contracts/database.ts';
import type { Picture } from './content.ts';
import { listName, markList } from './listings.ts';

/** An article in one language, ready to be written. */
export interface ArticleToSave {
  readonly key: string;
  readonly locale: string;
  readonly slug: string;
  readonly categoryId: number;
  readonly authorId: string;
  readonly title: string;
  readonly description: string;
  readonly keywords: string;
  readonly cover: Picture | null;
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly isHot: boolean;
  readonly isTop: boolean;
  readonly pictures: Readonly<Record<string, Picture>>;
  readonly digest: string;
  /** What tells that its files have not changed. */
  readonly source: string;
  readonly body: string;
}

/** Rows for each statement: SQLite takes 32,766 values in one, an article has nineteen. */
const batchSize = 250;

/** Lists whose entries changed, to be marked once at the end. */
export type TouchedLists = Map<string, Set<string>>;

function touch(touched: TouchedLists, locale: string, list: string): void {
  const lists = touched.get(locale) ?? new Set();
  touched.set(locale, lists.add(list));
}

function toRow(article: ArticleToSave): Insertable<Tables['articles']> {
  return {
    key: article.key,
    locale: article.locale,
    slug: article.slug,
    category_id: article.categoryId,
    author_id: article.authorId,
    title: article.title,
    description: article.description,
    keywords: article.keywords,
    cover: article.cover === null ? null : JSON.stringify(article.cover),
    published_at: article.publishedAt,
    updated_at: article.updatedAt,
    is_hot: article.isHot ? 1 : 0,
    is_top: article.isTop ? 1 : 0,
    pictures: JSON.stringify(article.pictures),
    digest: article.digest,
    source: article.source,
    body: article.body,
  };
}

/** The lists that an article stands in. */
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
    .values(batch.map(toRow))
    .onConflict((conflict) =>
      conflict.columns(['key', 'locale']).doUpdateSet(({ ref }) => ({
        slug: ref('excluded.slug'),
        category_id: ref('excluded.category_id'),
        author_id: ref('excluded.author_id'),
        title: ref('excluded.title'),
        description: ref('excluded.description'),
        keywords: ref('excluded.keywords'),
        cover: ref('excluded.cover'),
        published_at: ref('excluded.published_at'),
        updated_at: ref('excluded.updated_at'),
        is_hot: ref('excluded.is_hot'),
        is_top: ref('excluded.is_top'),
        pictures: ref('excluded.pictures'),
        digest: ref('excluded.digest'),
        source: ref('excluded.source'),
        body: ref('excluded.body'),
      })),
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
 * Writes articles, new ones and changed ones; views stay as they are. Part of a transaction, which ends with
 * {@link markTouched}.
 * @param onSaved told how many have been written so far
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

/** Counts and marks anew every list whose entries changed. */
export async function markTouched(transaction: Kysely<Tables>, touched: TouchedLists): Promise<void> {
  for (const [locale, lists] of touched) for (const list of lists) await markList(transaction, locale, list);
}
