import { join } from 'node:path';
import type { z } from 'zod';
import { defaultLocale } from '../../i18n/languages.ts';
import type { Picture } from '../content.ts';
import type { AuthorToSave, CategoryToSave } from '../writing/categories-and-authors.ts';
import { readCheckedYaml } from './checked-yaml.ts';
import { authorFields, categoryFields } from './fields.ts';
import type { FolderReader } from './folder-reader.ts';
import type { ArticleFile } from './read-article.ts';

/** A folder inside the one that is imported or exported. */
export type ContentPart = 'categories' | 'authors' | 'articles';

const maxYamlBytes = 256 * 1024;

/** The contents of a folder beside its articles, and the articles' positions. */
export interface ReadFolder {
  readonly categories: readonly CategoryToSave[];
  readonly authors: readonly AuthorToSave[];
  readonly articles: readonly ArticleFile[];
}

function readCategories(folder: string, reader: FolderReader): CategoryToSave[] {
  const found: CategoryToSave[] = [];
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
    if ('problems' in read) {
      reader.problems.push(...read.problems);
      continue;
    }
    add(read.value, null, at + 1, file, read.lineOf('uid'));
    for (const [place, child] of read.value.children.entries())
      add(child, read.value.uid, place + 1, file, read.lineOf('children'));
  }
  return found;
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
      if (fields.picture !== undefined)
        picture = await reader.picture(place, fields.picture, fields.name, file, lineOf('picture'));
      position = fields.position ?? position;
      texts[locale] = { name: fields.name, bio: body, links: fields.links };
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
  const categories = parts.includes('categories') ? readCategories(placeOf('categories'), reader) : [];
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
  return { categories, authors, articles };
}
