import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely, Selectable } from 'kysely';
import { stringify } from 'yaml';
import type { Tables } from '../../stores/contracts/database.ts';
import type { PictureFiles } from '../../stores/contracts/picture-files.ts';
import { summaryColumns, writtenColumns } from '../../stores/contracts/tables/article-table.ts';
import { readRow } from '../../stores/contracts/tables/columns.ts';
import type { ArticleToSave, AuthorLink, Picture } from '../content.ts';
import { toFrontMatter } from './fields.ts';
import type { ContentPart } from './read-folder.ts';

const partSize = 200;

/** The sources of an export. */
interface ExportSource {
  readonly query: Kysely<Tables>;
  readonly pictures: PictureFiles;
}

/** Omits fields with default values, so that a file reads as if written by hand. */
function fields(all: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(all).filter(
    ([, value]) =>
      value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return stringify(Object.fromEntries(said), { lineWidth: 0 });
}

const markdown = (front: Readonly<Record<string, unknown>>, body: string) =>
  `---\n${fields(front)}---\n\n${body}\n`;

async function exportPicture(place: PictureFiles, folder: string, picture: Picture | null): Promise<void> {
  if (picture === null) return;
  const bytes = await place.read({ id: picture.id, width: 0, format: 'original' });
  if (bytes === null) throw new Error(`the picture ${picture.file} (${picture.id}) is not there any more`);
  writeFileSync(join(folder, picture.file), bytes);
}

async function exportCategories(query: Kysely<Tables>, folder: string): Promise<number> {
  const rows = await query.selectFrom('categories').selectAll().orderBy('position').execute();
  const texts = await query.selectFrom('category_texts').selectAll().orderBy('locale').execute();
  const toYaml = ({ id, uid, slug, position }: Selectable<Tables['categories']>) => {
    const own = texts.filter(({ category_id }) => category_id === id);
    const described = own.filter(({ description }) => description !== '');
    return {
      uid,
      slug,
      position,
      names: Object.fromEntries(own.map(({ locale, name }) => [locale, name])),
      ...(described.length > 0 && {
        descriptions: Object.fromEntries(described.map(({ locale, description }) => [locale, description])),
      }),
    };
  };
  for (const row of rows.filter(({ parent_id }) => parent_id === null)) {
    const children = rows.filter(({ parent_id }) => parent_id === row.id).map(toYaml);
    const content = stringify({ ...toYaml(row), ...(children.length > 0 && { children }) }, { lineWidth: 0 });
    writeFileSync(join(folder, `${row.slug}.yaml`), content);
  }
  return rows.length;
}

async function exportAuthors({ query, pictures }: ExportSource, folder: string): Promise<number> {
  const rows = await query.selectFrom('authors').selectAll().orderBy('position').execute();
  const texts = await query.selectFrom('author_texts').selectAll().execute();
  for (const { id, picture, position } of rows) {
    const place = join(folder, id);
    mkdirSync(place, { recursive: true });
    const portrait = summaryColumns.cover.read(picture);
    await exportPicture(pictures, place, portrait);
    for (const { locale, name, bio, links } of texts.filter(({ author_id }) => author_id === id)) {
      const front = {
        id,
        name,
        picture: portrait?.file ?? null,
        position,
        links: JSON.parse(links) as AuthorLink[],
      };
      writeFileSync(join(place, `${locale}.md`), markdown(front, bio));
    }
  }
  return rows.length;
}

async function exportArticle(
  files: PictureFiles,
  folder: string,
  article: ArticleToSave & { category: string },
): Promise<void> {
  const { key, locale, cover, pictures, body } = article;
  const place = join(folder, key);
  mkdirSync(place, { recursive: true });
  for (const picture of [cover, ...Object.values(pictures)]) await exportPicture(files, place, picture);
  writeFileSync(join(place, `${locale}.md`), markdown(toFrontMatter(article), body));
}

async function exportArticles(
  { query, pictures }: ExportSource,
  folder: string,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0;
  for (let last = 0; ; ) {
    const rows = await query
      .selectFrom('articles')
      .innerJoin('categories', 'categories.id', 'articles.category_id')
      .selectAll('articles')
      .select('categories.slug as category')
      .where('articles.id', '>', last)
      .orderBy('articles.id')
      .limit(partSize)
      .execute();
    for (const row of rows) {
      const article = { ...readRow(writtenColumns, row), category: row.category };
      await exportArticle(pictures, folder, article);
    }
    done += rows.length;
    onProgress(done);
    if (rows.length < partSize) return done;
    last = rows.at(-1)?.id ?? last;
  }
}

/**
 * Writes the database's content as a folder that can be imported, replacing existing files.
 * @returns the number of each written: articles by language, categories, authors
 */
export async function exportContent(
  source: ExportSource,
  folder: string,
  parts: readonly ContentPart[],
  onProgress: (done: number) => void,
): Promise<Record<ContentPart, number>> {
  const written = { categories: 0, authors: 0, articles: 0 };
  for (const part of parts) {
    const place = join(folder, part);
    mkdirSync(place, { recursive: true });
    if (part === 'categories') written.categories = await exportCategories(source.query, place);
    else if (part === 'authors') written.authors = await exportAuthors(source, place);
    else written.articles = await exportArticles(source, place, onProgress);
  }
  return written;
}
