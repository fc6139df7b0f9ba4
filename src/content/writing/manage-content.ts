import type { Database } from '../../stores/contracts/database.ts';
import { deleteArticles, markTouched, setUnpublished, type TouchedLists } from './articles.ts';
import { noteChanges } from './changes.ts';

/**
 * Deletes articles by their key, in one language or in all. Concurrent readers get them whole.
 * @param wanted in a dry run they are only named
 */
export async function deleteArticlesByKey(
  { query, engine }: Database,
  wanted: { keys: readonly string[]; locale: string | null; dryRun: boolean; now: number },
): Promise<{ key: string; locale: string; slug: string }[]> {
  const { keys, locale, dryRun, now } = wanted;
  return query.transaction().execute(async (transaction) => {
    const touched: TouchedLists = new Map();
    let found = transaction
      .selectFrom('articles')
      .select(['id', 'key', 'locale', 'slug'])
      .where('key', 'in', keys)
      .orderBy('key')
      .orderBy('locale');
    if (locale !== null) found = found.where('locale', '=', locale);
    const rows = await found.execute();
    const named = rows.map(({ key, locale, slug }) => ({ key, locale, slug }));
    if (dryRun) return named;
    await deleteArticles(
      transaction,
      rows.map(({ id }) => id),
      touched,
    );
    await markTouched(transaction, touched);
    const changes = named.map(({ locale, slug }) => ({ subject: 'article' as const, locale, name: slug }));
    await noteChanges(transaction, engine, changes, now);
    return named;
  });
}

/** Why something could not be deleted, or `deleted`. */
type Deletion = 'deleted' | 'unknown' | 'in use';

/** Deletes a category by its uid or slug, unless an article or another category is in it. */
export async function deleteCategory(
  { query, engine }: Database,
  name: string,
  now: number,
): Promise<Deletion> {
  return query.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('categories')
      .select(['id', 'slug'])
      .where(({ or, eb }) => or([eb('uid', '=', name), eb('slug', '=', name)]))
      .executeTakeFirst();
    if (row === undefined) return 'unknown';
    const article = await transaction
      .selectFrom('articles')
      .select('id')
      .where('category_id', '=', row.id)
      .limit(1)
      .executeTakeFirst();
    const child = await transaction
      .selectFrom('categories')
      .select('id')
      .where('parent_id', '=', row.id)
      .limit(1)
      .executeTakeFirst();
    if (article !== undefined || child !== undefined) return 'in use';
    await transaction.deleteFrom('categories').where('id', '=', row.id).execute();
    await noteChanges(transaction, engine, [{ subject: 'category', locale: '', name: row.slug }], now);
    return 'deleted';
  });
}

/** Deletes an author, unless they have an article. */
export async function deleteAuthor({ query, engine }: Database, id: string, now: number): Promise<Deletion> {
  return query.transaction().execute(async (transaction) => {
    const row = await transaction.selectFrom('authors').select('id').where('id', '=', id).executeTakeFirst();
    if (row === undefined) return 'unknown';
    const article = await transaction
      .selectFrom('articles')
      .select('id')
      .where('author_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (article !== undefined) return 'in use';
    await transaction.deleteFrom('authors').where('id', '=', id).execute();
    await noteChanges(transaction, engine, [{ subject: 'author', locale: '', name: id }], now);
    return 'deleted';
  });
}

/** An article in one language. */
interface NamedArticle {
  readonly key: string;
  readonly locale: string;
  readonly slug: string;
}

/** The result of {@link setPublished}. */
interface Published {
  /** Those that were otherwise before. */
  readonly changed: readonly NamedArticle[];
  /** Those that were so already. */
  readonly unchanged: readonly NamedArticle[];
}

/**
 * Takes articles back, or publishes them, by their keys, in one language or in all. A page that is taken back is a 404
 * and in no list, and an import does not publish it again.
 * @param wanted `now` in milliseconds since 1970
 */
export async function setPublished(
  { query, engine }: Database,
  wanted: { keys: readonly string[]; locale: string | null; isPublished: boolean; now: number },
): Promise<Published> {
  const { keys, locale, isPublished, now } = wanted;
  if (keys.length === 0) return { changed: [], unchanged: [] };
  return query.transaction().execute(async (transaction) => {
    const all = await transaction
      .selectFrom('articles')
      .select(['id', 'key', 'locale', 'slug', 'unpublished_at'])
      .where('key', 'in', keys)
      .orderBy('key')
      .orderBy('locale')
      .execute();
    const found = all.filter((row) => locale === null || row.locale === locale);
    const others = found.filter(({ unpublished_at }) => (unpublished_at === null) !== isPublished);
    const touched: TouchedLists = new Map();
    await setUnpublished(
      transaction,
      others.map(({ id }) => id),
      isPublished ? null : now,
      touched,
    );
    await markTouched(transaction, touched);
    const changedKeys = new Set(others.map(({ key }) => key));
    // Its pages in other languages name it as an alternate.
    const changes = all
      .filter(({ key }) => changedKeys.has(key))
      .map((row) => ({ subject: 'article' as const, locale: row.locale, name: row.slug }));
    await noteChanges(transaction, engine, changes, now);
    const named = (rows: typeof all) => rows.map(({ key, locale, slug }) => ({ key, locale, slug }));
    return { changed: named(others), unchanged: named(found.filter((row) => !others.includes(row))) };
  });
}
