import type { Database } from '../../stores/contracts/database.ts';
import { markTouched, setUnpublished, type TouchedLists } from './articles.ts';
import { noteChanges } from './changes.ts';

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
