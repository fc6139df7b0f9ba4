import { once } from 'node:events';
import { stdout } from 'node:process';
import type { Kysely } from 'kysely';
import { defaultLocale } from '../../i18n/languages.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import { printJson, printText, terminalJson, terminalText } from '../../web/commands/command.ts';

const partSize = 1000;

/** Waits for a slow reader of the pipe, so that a million lines are never all in memory. */
async function print(text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain');
}

/** Prints every article, a line for each language; as JSON one object for each line. */
export async function listArticles(
  query: Kysely<Tables>,
  locale: string | null,
  json: boolean,
): Promise<number> {
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
        'categories.slug as category',
      ])
      .where('articles.id', '>', last)
      .orderBy('articles.id')
      .limit(partSize);
    if (locale !== null) selection = selection.where('articles.locale', '=', locale);
    const rows = await selection.execute();
    const lines = rows.map(({ id: _, publishedAt, ...row }) => {
      const published = new Date(publishedAt).toISOString();
      if (json) return terminalJson({ ...row, published });
      const line = [
        row.key,
        row.locale,
        published.slice(0, 10),
        row.category,
        `${row.views} views`,
        row.title,
      ].join('  ');
      return terminalText(line);
    });
    if (lines.length > 0) await print(`${lines.join('\n')}\n`);
    if (rows.length < partSize) return 0;
    last = rows.at(-1)?.id ?? last;
  }
}

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
    for (const { uid, slug, name, parent } of rows)
      printText(`${uid}  ${slug}  ${name}  ${parent ?? ''}`.trimEnd());
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
  else for (const { id, name } of rows) printText(`${id}  ${name}`);
  return 0;
}
