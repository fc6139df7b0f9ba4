import { once } from 'node:events';
import { stdout } from 'node:process';
import type { Kysely } from 'kysely';
import { defaultLocale } from '../../../i18n/languages.ts';
import { type Column, printJson, printRows, terminalJson } from '../../../server/commands/print.ts';
import type { Tables } from '../../../stores/contracts/database.ts';

const partSize = 1000;

/** Waits for a slow reader of the pipe, so that a million lines are never all in memory. */
async function print(text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain');
}

const articleColumns: readonly Column[] = [
  { name: 'name' },
  { name: 'language' },
  { name: 'published' },
  { name: 'category' },
  { name: 'views', isNumber: true, alone: (cell) => `${cell} views` },
  { name: 'title' },
];

/** Articles in the order of their numbers, so many at a time. */
async function* articleParts(query: Kysely<Tables>, locale: string | null) {
  for (let last = 0; ; ) {
    let selection = query
      .selectFrom('articles')
      .innerJoin('categories', 'categories.id', 'articles.category_id')
      .select([
        'articles.id',
        'articles.key',
        'articles.locale',
        'articles.slug',
        'articles.title',
        'articles.author_id as author',
        'articles.views',
        'articles.published_at as publishedAt',
        'articles.unpublished_at as unpublishedAt',
        'categories.slug as category',
      ])
      .where('articles.id', '>', last)
      .orderBy('articles.id')
      .limit(partSize);
    if (locale !== null) selection = selection.where('articles.locale', '=', locale);
    const rows = await selection.execute();
    if (rows.length > 0)
      yield rows.map(({ id: _, publishedAt, ...row }) => ({
        ...row,
        published: new Date(publishedAt).toISOString(),
      }));
    if (rows.length < partSize) return;
    last = rows.at(-1)?.id ?? last;
  }
}

/** Prints every article, a line for each language; as JSON one array, an article on each line. */
export async function listArticles(
  query: Kysely<Tables>,
  locale: string | null,
  json: boolean,
): Promise<number> {
  let isFirst = true;
  for await (const rows of articleParts(query, locale)) {
    if (json) {
      await print(isFirst ? '[\n' : ',\n');
      await print(rows.map((row) => terminalJson(row)).join(',\n'));
    } else
      await printRows(
        articleColumns,
        rows.map(({ key, published, category, views, title, ...row }) => [
          ...[key, row.locale, row.unpublishedAt === null ? published.slice(0, 10) : 'unpublished'],
          ...[category, views, title],
        ]),
      );
    isFirst = false;
  }
  if (json) await print(isFirst ? '[]\n' : '\n]\n');
  return 0;
}

/** The articles that nobody sees, by key and language. */
export const listUnpublished = (query: Kysely<Tables>) =>
  query
    .selectFrom('articles')
    .select(['key', 'locale'])
    .where('unpublished_at', 'is not', null)
    .orderBy('key')
    .orderBy('locale')
    .execute();

/** Prints every category with its English name. */
export async function listCategories(query: Kysely<Tables>, json: boolean): Promise<number> {
  const rows = await query
    .selectFrom('categories')
    .leftJoin('category_texts', (join) =>
      join
        .onRef('category_texts.category_id', '=', 'categories.id')
        .on('category_texts.locale', '=', defaultLocale),
    )
    .leftJoin('categories as parents', 'parents.id', 'categories.parent_id')
    .select(['categories.uid', 'categories.slug', 'category_texts.name', 'parents.uid as parent'])
    .orderBy('categories.position')
    .execute();
  if (json) printJson(rows);
  else
    await printRows(
      [{ name: 'id' }, { name: 'address' }, { name: 'name' }, { name: 'parent' }],
      rows.map(({ uid, slug, name, parent }) => [uid, slug, name, parent]),
    );
  return 0;
}

/** Prints every author with their English name. */
export async function listAuthors(query: Kysely<Tables>, json: boolean): Promise<number> {
  const rows = await query
    .selectFrom('authors')
    .leftJoin('author_texts', (join) =>
      join.onRef('author_texts.author_id', '=', 'authors.id').on('author_texts.locale', '=', defaultLocale),
    )
    .select(['authors.id', 'author_texts.name'])
    .orderBy('authors.position')
    .execute();
  if (json) printJson(rows);
  else
    await printRows(
      [{ name: 'id' }, { name: 'name' }],
      rows.map(({ id, name }) => [id, name]),
    );
  return 0;
}
