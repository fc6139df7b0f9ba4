import type { Kysely } from 'kysely';
import type { Database, Tables } from '../../stores/contracts/database.ts';
import { createDatabasePictures } from '../../stores/embedded/database-pictures.ts';
import type { ArticleToSave, Content } from '../content.ts';
import { articleFields, fromFrontMatter } from '../import/fields.ts';
import { createContent } from '../reading/read-content.ts';
import { markTouched, saveArticles, type TouchedLists } from '../writing/articles.ts';
import { saveAuthors, saveCategories } from '../writing/categories-and-authors.ts';

/** The day from which articles count. */
export const firstDay = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;

/** The n-th article of a test, as an operator might have written it. */
export function article(n: number, change: Partial<ArticleToSave> = {}): ArticleToSave {
  const key = `article-${n}`;
  const publishedAt = firstDay + n * dayMs;
  const fields = articleFields.parse({
    title: `Article ${n}`,
    description: `What article ${n} is about`,
    keywords: 'save, video',
    category: 'guides',
    author: 'editors',
    published: new Date(publishedAt).toISOString(),
  });
  return {
    key,
    locale: 'en',
    ...fromFrontMatter(key, fields),
    categoryId: 1,
    pictures: {},
    digest: `digest-${n}`,
    source: `source-${n}`,
    body: `# Article ${n}\n\nText.`,
    ...change,
  };
}

/** Writes articles like a single import. */
export async function write({ query }: Database, articles: readonly ArticleToSave[]): Promise<void> {
  await query.transaction().execute(async (transaction) => {
    const touched: TouchedLists = new Map();
    await saveArticles(transaction, articles, touched);
    await markTouched(transaction, touched);
  });
}

/**
 * Two categories (`guides` with the child `phones`; `sound`) and two authors (`editors`, `desk`).
 * @returns the categories' numbers by uid
 */
export async function writeCategoriesAndAuthors({ query }: Database): Promise<Map<string, number>> {
  const category = (uid: string, parent: string | null, position: number) => ({
    uid,
    slug: `${uid}-posts`,
    parent,
    position,
    texts: { en: { name: `The ${uid}`, description: '' }, de: { name: `Die ${uid}`, description: '' } },
  });
  const author = (id: string, position: number) => ({
    id,
    picture: null,
    position,
    texts: { en: { name: `The ${id}`, bio: 'We write.', links: [{ text: 'Contact', url: '/contact' }] } },
  });
  return query.transaction().execute(async (transaction) => {
    await saveAuthors(transaction, [author('editors', 1), author('desk', 2)]);
    return saveCategories(transaction, [
      category('guides', null, 1),
      category('phones', 'guides', 1),
      category('sound', null, 2),
    ]);
  });
}

/** The content of a database that has its pictures, too. @param now milliseconds since 1970 */
export const contentOf = (query: Kysely<Tables>, now: () => number): Content =>
  createContent(query, now, createDatabasePictures(query));
