import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { defaultLocale } from '../../i18n/languages.ts';
import type { ArticleToSave, Picture } from '../content.ts';
import type { AuthorToSave, CategoryToSave } from '../save-surroundings.ts';
import { readCheckedYaml } from './checked-yaml.ts';
import { articleFields, authorFields, categoryFields, fromFrontMatter, isName } from './fields.ts';
import { readMarkdown } from './front-matter.ts';
import { readOwnFile } from './own-file.ts';
import { lookAtPicture, type PictureFile, picturesIn, toPictureOf } from './pictures.ts';
import type { Problem } from './problems.ts';

/** A folder inside the one that is imported or exported. */
export type ContentPart = 'categories' | 'authors' | 'articles';

/** What the import must know of the site. */
export interface SiteNames {
  readonly locales: readonly string[];
  /** Whether an address of one segment is a page or a language already. */
  isTaken(slug: string): boolean;
}

/** A text of the largest book chapter has a fifth of this. */
const maxMarkdownBytes = 512 * 1024;
const maxYamlBytes = 256 * 1024;

/** Where an article in one language lies. */
export interface ArticleFile {
  readonly key: string;
  readonly locale: string;
  readonly folder: string;
  readonly file: string;
}

/** An article that names its category as its author wrote it. */
export type ReadArticle = Omit<ArticleToSave, 'categoryId' | 'source'> & {
  readonly category: string;
  readonly lineOf: (field: string) => number;
};

/** What a folder holds beside its articles, and where these are. */
export interface ReadFolder {
  readonly categories: readonly CategoryToSave[];
  readonly authors: readonly AuthorToSave[];
  readonly articles: readonly ArticleFile[];
}

/** Collects what is found while the folder is read. */
export class Reading {
  readonly problems: Problem[] = [];
  readonly pictures = new Map<string, PictureFile>();
  readonly names: SiteNames;

  constructor(names: SiteNames) {
    this.names = names;
  }

  refuse(file: string, line: number, reason: string): void {
    this.problems.push({ file, line, reason });
  }

  async picture(
    folder: string,
    name: string,
    alt: string,
    file: string,
    line: number,
  ): Promise<Picture | null> {
    try {
      const path = join(folder, name);
      const looked = this.pictures.get(path) ?? (await lookAtPicture(folder, name));
      this.pictures.set(path, looked);
      return toPictureOf(looked, alt);
    } catch (error) {
      this.refuse(file, line, (error as Error).message);
      return null;
    }
  }

  /** A file's text; null when it may not be read. */
  text(file: string, maxBytes: number): string | null {
    try {
      return readOwnFile(file, maxBytes).toString('utf8');
    } catch (error) {
      this.refuse(file, 0, (error as Error).message);
      return null;
    }
  }

  /** What lies in a folder, in the order of its names; hidden things and what a symbolic link leads to are left out. */
  entries(folder: string): Dirent[] {
    const facts = lstatSync(folder, { throwIfNoEntry: false });
    if (facts?.isSymbolicLink()) this.refuse(folder, 0, 'is a symbolic link');
    if (!facts?.isDirectory()) return [];
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => {
        if (entry.name.startsWith('.')) return false;
        if (entry.isSymbolicLink()) this.refuse(join(folder, entry.name), 0, 'is a symbolic link');
        return !entry.isSymbolicLink();
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The folders in a folder whose names can stand in an address. */
  folders(folder: string): string[] {
    const found = this.entries(folder).filter((entry) => entry.isDirectory());
    for (const { name } of found)
      if (!isName(name))
        this.refuse(join(folder, name), 0, 'must be lower-case letters, digits and single hyphens');
    return found.map(({ name }) => name).filter(isName);
  }

  /** The Markdown files of a folder by their language. */
  languages(folder: string): { locale: string; file: string }[] {
    const found = this.entries(folder)
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.md'));
    if (found.length === 0) this.refuse(folder, 0, 'has no Markdown file');
    return found.flatMap((name) => {
      const locale = name.slice(0, -3);
      const file = join(folder, name);
      if (this.names.locales.includes(locale)) return [{ locale, file }];
      this.refuse(file, 0, `"${locale}" is no language of the site`);
      return [];
    });
  }

  markdown<S extends z.ZodType>(schema: S, file: string) {
    const text = this.text(file, maxMarkdownBytes);
    if (text === null) return null;
    const read = readMarkdown(schema, text, file);
    if (!('problems' in read)) return read;
    this.problems.push(...read.problems);
    return null;
  }
}

function readCategories(folder: string, reading: Reading): CategoryToSave[] {
  const found: CategoryToSave[] = [];
  const add = (
    { uid, slug, position, names, descriptions }: Omit<z.output<typeof categoryFields>, 'children'>,
    parent: string | null,
    place: number,
    file: string,
    line: number,
  ) => {
    if (found.some((other) => other.uid === uid))
      reading.refuse(file, line, `the uid "${uid}" is used twice`);
    if (found.some((other) => other.slug === slug))
      reading.refuse(file, line, `the slug "${slug}" is used twice`);
    if (names[defaultLocale] === undefined) reading.refuse(file, line, `names: ${defaultLocale} is missing`);
    const texts = Object.fromEntries(
      Object.entries(names).map(([locale, name]) => [
        locale,
        { name, description: descriptions[locale] ?? '' },
      ]),
    );
    found.push({ uid, slug, parent, position: position ?? (Number(uid) || place), texts });
  };
  for (const [at, { name }] of reading.entries(folder).entries()) {
    if (!/\.ya?ml$/.test(name)) continue;
    const file = join(folder, name);
    const text = reading.text(file, maxYamlBytes);
    if (text === null) continue;
    const read = readCheckedYaml(categoryFields, text, file);
    if ('problems' in read) {
      reading.problems.push(...read.problems);
      continue;
    }
    add(read.value, null, at + 1, file, read.lineOf('uid'));
    for (const [place, child] of read.value.children.entries())
      add(child, read.value.uid, place + 1, file, read.lineOf('children'));
  }
  return found;
}

async function readAuthors(folder: string, reading: Reading): Promise<AuthorToSave[]> {
  const found: AuthorToSave[] = [];
  for (const [at, id] of reading.folders(folder).entries()) {
    const place = join(folder, id);
    const texts: Record<string, AuthorToSave['texts'][string]> = {};
    let picture: Picture | null = null;
    let position = at + 1;
    for (const { locale, file } of reading.languages(place)) {
      const read = reading.markdown(authorFields, file);
      if (read === null) continue;
      const { fields, body, lineOf } = read;
      if (fields.id !== undefined && fields.id !== id)
        reading.refuse(file, lineOf('id'), `must be the folder's name, ${id}`);
      if (fields.picture !== undefined)
        picture = await reading.picture(place, fields.picture, fields.name, file, lineOf('picture'));
      position = fields.position ?? position;
      texts[locale] = { name: fields.name, bio: body, links: fields.links };
    }
    found.push({ id, picture, position, texts });
  }
  return found;
}

/**
 * Reads an article and checks what can be seen in itself.
 * @returns null when it cannot be read; what is wrong is in the reading's problems
 */
export async function readArticle(
  { key, locale, folder, file }: ArticleFile,
  reading: Reading,
): Promise<ReadArticle | null> {
  const read = reading.markdown(articleFields, file);
  if (read === null) return null;
  const { fields, body, lineOf, before } = read;
  const values = fromFrontMatter(key, fields);
  const { slug } = values;
  if (body === '') reading.refuse(file, before + 1, 'has no text');
  if (reading.names.isTaken(slug))
    reading.refuse(file, lineOf('slug'), `"/${slug}" is another page’s address already`);
  if (fields.updated !== undefined && fields.updated < fields.published)
    reading.refuse(file, lineOf('updated'), 'updated: is before published');
  const pictures: Record<string, Picture> = {};
  for (const { name, alt, line } of picturesIn(body)) {
    const picture = await reading.picture(folder, name, alt, file, before + line);
    if (picture !== null) pictures[name] = picture;
  }
  const cover =
    fields.cover === undefined
      ? null
      : await reading.picture(folder, fields.cover, fields.cover_alt, file, lineOf('cover'));
  const article = { key, locale, ...values, cover, pictures, body };
  const digest = createHash('sha256').update(JSON.stringify(article)).digest('base64url');
  return { ...article, digest, lineOf };
}

/** Where the pictures of an article are named, in the order in which their files are looked at. */
export const pictureNames = (cover: Picture | null, pictures: Readonly<Record<string, Picture>>): string[] =>
  [...new Set([...Object.keys(pictures), ...(cover === null ? [] : [cover.file])])].sort();

/**
 * What stays the same while an article's files do: the Markdown itself, and size and time of its pictures, which are
 * too large to be read each time.
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

/** The bytes of an article's file; null when it may not be read, which is told. */
export function articleBytes(file: string, reading: Reading): Buffer | null {
  try {
    return readOwnFile(file, maxMarkdownBytes);
  } catch (error) {
    reading.refuse(file, 0, (error as Error).message);
    return null;
  }
}

/**
 * Reads the categories and authors of a folder with `articles/`, `authors/` and `categories/` in it, each of which may
 * be missing, and finds its articles.
 */
export async function readContentFolder(
  folder: string,
  parts: readonly ContentPart[],
  reading: Reading,
): Promise<ReadFolder> {
  const placeOf = (part: ContentPart) => join(folder, part);
  const categories = parts.includes('categories') ? readCategories(placeOf('categories'), reading) : [];
  const authors = parts.includes('authors') ? await readAuthors(placeOf('authors'), reading) : [];
  const keys = parts.includes('articles') ? reading.folders(placeOf('articles')) : [];
  const articles = keys.flatMap((key) => {
    const place = join(folder, 'articles', key);
    return reading
      .languages(place)
      .map(({ locale, file }): ArticleFile => ({ key, locale, folder: place, file }));
  });
  if (categories.length + authors.length + articles.length === 0 && reading.problems.length === 0)
    reading.refuse(folder, 0, `has no ${parts.join(' or ')}`);
  return { categories, authors, articles };
}
