import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { defaultLocale } from '../../i18n/languages.ts';
import type { ArticleToSave, Picture } from '../content.ts';
import { type MarkdownFile, readCheckedYaml } from '../files/checked-files.ts';
import type { AuthorToSave, CategoryToSave } from '../writing/categories-and-authors.ts';
import { articleFields, authorFields, categoryFields, fromFrontMatter } from './fields.ts';
import type { FolderReader } from './folder-reader.ts';
import { picturesIn } from './pictures.ts';

/** The file of an article in one language. */
export interface ArticleFile {
  readonly key: string;
  readonly locale: string;
  readonly folder: string;
  readonly file: string;
}

/** An article that names its category as its author wrote it. */
export type ReadArticle = Omit<ArticleToSave, 'categoryId' | 'source'> & { readonly category: string };

/** What can be read of an article's file. */
interface ReadFile extends Pick<MarkdownFile<typeof articleFields>, 'lineOf' | 'body'> {
  /** Those of its fields that are right. */
  readonly fields: Partial<z.output<typeof articleFields>>;
  /** Null where a field is wrong. */
  readonly article: ReadArticle | null;
}

/**
 * Reads an article and runs the checks that need no other file.
 * @returns null when nothing of it can be read; errors are recorded in the reader's problems
 */
export async function readArticle(
  { key, locale, folder, file }: ArticleFile,
  reader: FolderReader,
): Promise<ReadFile | null> {
  const read = reader.markdown(articleFields, file);
  if (read === null) return null;
  const { fields, body, lineOf, before } = read;
  const { slug = key, published = 0, updated = published } = fields;
  if (body === '') reader.refuse(file, before + 1, 'has no text');
  if (reader.names.isTaken(slug))
    reader.refuse(file, lineOf('slug'), `"/${slug}" is another page’s address already`);
  if (updated < published) reader.refuse(file, lineOf('updated'), 'updated: is before published');
  const pictures: Record<string, Picture> = {};
  for (const { name, alt, line } of picturesIn(body)) {
    const picture = await reader.picture(folder, name, alt, file, before + line);
    if (picture !== null) pictures[name] = picture;
  }
  const cover =
    fields.cover === undefined
      ? null
      : await reader.picture(folder, fields.cover, fields.cover_alt ?? '', file, lineOf('cover'));
  if ('problems' in read) return { fields, body, lineOf, article: null };
  const article = { key, locale, ...fromFrontMatter(key, read.fields), cover, pictures, body };
  const digest = createHash('sha256').update(JSON.stringify(article)).digest('base64url');
  return { fields, body, lineOf, article: { ...article, digest } };
}

/** The places that name an article's pictures, in the order of checking. */
export const pictureNames = (cover: Picture | null, pictures: Readonly<Record<string, Picture>>): string[] =>
  [...new Set([...Object.keys(pictures), ...(cover === null ? [] : [cover.file])])].sort();

/**
 * A digest that changes with an article's files: from the Markdown itself, and from size and time of its pictures,
 * which are too large to be read each time.
 * @param names of its pictures
 */
export function sourceOf(markdown: Uint8Array, folder: string, names: readonly string[]): string {
  const hash = createHash('sha256').update('1\n').update(markdown);
  for (const name of names) {
    const facts = lstatSync(join(folder, name), { throwIfNoEntry: false });
    hash.update(`\n${name} ${facts?.isFile() ? `${facts.size} ${facts.mtimeMs}` : 'none'}`);
  }
  return hash.digest('base64url');
}

/** A folder inside the one that is imported or exported. */
export type ContentPart = 'categories' | 'authors' | 'articles';

const maxYamlBytes = 256 * 1024;

/** The contents of a folder beside its articles, and the articles' positions. */
export interface ReadFolder {
  readonly categories: readonly CategoryToSave[];
  /** Names of categories whose file is wrong: an article that has one makes no mistake of its own. */
  readonly wrongCategories: readonly string[];
  readonly authors: readonly AuthorToSave[];
  readonly articles: readonly ArticleFile[];
}

function readCategories(
  folder: string,
  reader: FolderReader,
): Pick<ReadFolder, 'categories' | 'wrongCategories'> {
  const found: CategoryToSave[] = [];
  const wrong: string[] = [];
  const add = (
    { uid, slug, position, names, descriptions }: Omit<z.output<typeof categoryFields>, 'children'>,
    parent: string | null,
    place: number,
    file: string,
    line: number,
  ) => {
    if (found.some((other) => other.uid === uid)) reader.refuse(file, line, `the uid "${uid}" is used twice`);
    if (found.some((other) => other.slug === slug))
      reader.refuse(file, line, `the slug "${slug}" is used twice`);
    if (names[defaultLocale] === undefined) reader.refuse(file, line, `names: ${defaultLocale} is missing`);
    const texts = Object.fromEntries(
      Object.entries(names).map(([locale, name]) => [
        locale,
        { name, description: descriptions[locale] ?? '' },
      ]),
    );
    found.push({ uid, slug, parent, position: position ?? (Number(uid) || place), texts });
  };
  for (const [at, { name }] of reader.entries(folder).entries()) {
    if (!/\.ya?ml$/.test(name)) continue;
    const file = join(folder, name);
    const bytes = reader.bytes(file, maxYamlBytes);
    if (bytes === null) continue;
    const read = readCheckedYaml(categoryFields, bytes.toString('utf8'), file);
    const { fields, lineOf } = read;
    if ('problems' in read) {
      reader.problems.push(...read.problems);
      for (const { uid, slug } of [fields, ...(fields.children ?? [])]) wrong.push(uid ?? '', slug ?? '');
      continue;
    }
    add(read.fields, null, at + 1, file, lineOf('uid'));
    for (const [place, child] of read.fields.children.entries())
      add(child, read.fields.uid, place + 1, file, lineOf('children'));
  }
  return { categories: found, wrongCategories: wrong };
}

async function readAuthors(folder: string, reader: FolderReader): Promise<AuthorToSave[]> {
  const found: AuthorToSave[] = [];
  for (const [at, id] of reader.folders(folder).entries()) {
    const place = join(folder, id);
    const texts: Record<string, AuthorToSave['texts'][string]> = {};
    let picture: Picture | null = null;
    let position = at + 1;
    for (const { locale, file } of reader.languages(place)) {
      const read = reader.markdown(authorFields, file);
      if (read === null) continue;
      const { fields, body, lineOf } = read;
      if (fields.id !== undefined && fields.id !== id)
        reader.refuse(file, lineOf('id'), `must be the folder's name, ${id}`);
      const { name = '', links = [] } = fields;
      if (fields.picture !== undefined)
        picture = await reader.picture(place, fields.picture, name, file, lineOf('picture'));
      position = fields.position ?? position;
      texts[locale] = { name, bio: body, links };
    }
    found.push({ id, picture, position, texts });
  }
  return found;
}

/**
 * Reads the categories and authors of a folder with `articles/`, `authors/` and `categories/`, each optional, and finds
 * its articles.
 */
export async function readContentFolder(
  folder: string,
  parts: readonly ContentPart[],
  reader: FolderReader,
): Promise<ReadFolder> {
  const placeOf = (part: ContentPart) => join(folder, part);
  const { categories, wrongCategories } = parts.includes('categories')
    ? readCategories(placeOf('categories'), reader)
    : { categories: [], wrongCategories: [] };
  const authors = parts.includes('authors') ? await readAuthors(placeOf('authors'), reader) : [];
  const keys = parts.includes('articles') ? reader.folders(placeOf('articles')) : [];
  const articles = keys.flatMap((key) => {
    const place = join(folder, 'articles', key);
    return reader
      .languages(place)
      .map(({ locale, file }): ArticleFile => ({ key, locale, folder: place, file }));
  });
  if (categories.length + authors.length + articles.length === 0 && reader.problems.length === 0)
    reader.refuse(folder, 0, `has no ${parts.join(' or ')}`);
  return { categories, wrongCategories, authors, articles };
}
