import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Picture } from '../content.ts';
import type { ArticleToSave } from '../save-articles.ts';
import type { AuthorToSave, CategoryToSave } from '../save-surroundings.ts';
import { readCheckedYaml } from './checked-yaml.ts';
import { articleFields, authorFields, categoryFields, isName } from './fields.ts';
import { readMarkdown } from './front-matter.ts';
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

/** An article that names its category as its author wrote it. */
export type ReadArticle = Omit<ArticleToSave, 'categoryId'> & {
  readonly category: string;
  readonly file: string;
  readonly lineOf: (field: string) => number;
};

/** Everything that a folder holds, and everything that is wrong in it. */
export interface ReadFolder {
  readonly categories: readonly CategoryToSave[];
  readonly authors: readonly AuthorToSave[];
  readonly articles: readonly ReadArticle[];
  readonly pictures: readonly PictureFile[];
  readonly problems: readonly Problem[];
}

/** Collects what is found while the folder is read. */
class Reading {
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

  /** The Markdown files of a folder by their language. */
  languages(folder: string): { locale: string; file: string }[] {
    const found = namesIn(folder).filter((name) => name.endsWith('.md'));
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
    const read = readMarkdown(schema, readFileSync(file, 'utf8'), file);
    if (!('problems' in read)) return read;
    this.problems.push(...read.problems);
    return null;
  }
}

const namesIn = (folder: string) =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder)
        .filter((name) => !name.startsWith('.'))
        .sort()
    : [];

function foldersIn(folder: string, reading: Reading): string[] {
  return namesIn(folder).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path).isDirectory()) return false;
    if (!isName(name)) reading.refuse(path, 0, 'must be lower-case letters, digits and single hyphens');
    return isName(name);
  });
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
    if (names.en === undefined) reading.refuse(file, line, 'names: en is missing');
    const texts = Object.fromEntries(
      Object.entries(names).map(([locale, name]) => [
        locale,
        { name, description: descriptions[locale] ?? '' },
      ]),
    );
    found.push({ uid, slug, parent, position: position ?? (Number(uid) || place), texts });
  };
  for (const [at, name] of namesIn(folder).entries()) {
    if (!/\.ya?ml$/.test(name)) continue;
    const file = join(folder, name);
    const read = readCheckedYaml(categoryFields, readFileSync(file, 'utf8'), file);
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
  for (const [at, id] of foldersIn(folder, reading).entries()) {
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

async function readArticle(
  key: string,
  locale: string,
  folder: string,
  file: string,
  reading: Reading,
): Promise<ReadArticle | null> {
  const read = reading.markdown(articleFields, file);
  if (read === null) return null;
  const { fields, body, lineOf, before } = read;
  const slug = fields.slug ?? key;
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
  const article = {
    key,
    locale,
    slug,
    category: fields.category,
    authorId: fields.author,
    title: fields.title,
    description: fields.description,
    keywords: fields.keywords,
    cover,
    publishedAt: fields.published,
    updatedAt: fields.updated ?? fields.published,
    isHot: fields.hot,
    isTop: fields.top,
    pictures,
    body,
  };
  const digest = createHash('sha256').update(JSON.stringify(article)).digest('base64url');
  return { ...article, digest, file, lineOf };
}

/**
 * Reads and checks a folder with `articles/`, `authors/` and `categories/` in it, each of which may be missing.
 * @param onRead told how many articles' folders have been read, and how many there are
 */
export async function readContentFolder(
  folder: string,
  parts: readonly ContentPart[],
  names: SiteNames,
  onRead: (done: number, all: number) => void,
): Promise<ReadFolder> {
  const reading = new Reading(names);
  const placeOf = (part: ContentPart) => join(folder, part);
  const categories = parts.includes('categories') ? readCategories(placeOf('categories'), reading) : [];
  const authors = parts.includes('authors') ? await readAuthors(placeOf('authors'), reading) : [];
  const articles: ReadArticle[] = [];
  const keys = parts.includes('articles') ? foldersIn(placeOf('articles'), reading) : [];
  for (const [at, key] of keys.entries()) {
    const place = join(folder, 'articles', key);
    for (const { locale, file } of reading.languages(place)) {
      const article = await readArticle(key, locale, place, file, reading);
      if (article !== null) articles.push(article);
    }
    onRead(at + 1, keys.length);
  }
  if (categories.length + authors.length + articles.length === 0 && reading.problems.length === 0)
    reading.refuse(folder, 0, `has no ${parts.join(' or ')}`);
  return {
    categories,
    authors,
    articles,
    pictures: [...reading.pictures.values()],
    problems: reading.problems,
  };
}
