import { join } from 'node:path';
import type { z } from 'zod';
import { defaultLocale } from '../../i18n/languages.ts';
import type { Picture } from '../content.ts';
import { readCheckedYaml } from '../files/checked-yaml.ts';
import type { AuthorToSave, CategoryToSave } from '../writing/categories-and-authors.ts';
import { authorFields, categoryFields } from './fields.ts';
import type { FolderReader } from './folder-reader.ts';
import type { ArticleFile } from './read-article.ts';

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
