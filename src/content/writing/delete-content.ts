import type { Database } from '../../stores/contracts/database.ts';
import { deleteArticles, markTouched, type TouchedLists } from './articles.ts';
import { noteChanges } from './changes.ts';

/**
 * Deletes articles by their key, in one language or in all. Concurrent readers get them whole.
 * @param wanted in a dry run they are only named
 */
export async function deleteArticlesByKey(
  { query, engine }: Database,
  wanted: { keys: readonly string[]; locale: string | null; dryRun?: boolean; now: number },
): Promise<{ key: string; locale: string; slug: string }[]> {
  const { keys, locale, dryRun = false, now } = wanted;
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
export type Deletion = 'deleted' | 'unknown' | 'in use';

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
