import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { ArticleToSave, Picture } from '../content.ts';
import { articleFields, fromFrontMatter } from './fields.ts';
import type { FolderReader } from './folder-reader.ts';
import { picturesIn } from './pictures/pictures.ts';

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

/**
 * Reads an article and checks what can be seen in itself.
 * @returns null when it cannot be read; what is wrong is in the reader's problems
 */
export async function readArticle(
  { key, locale, folder, file }: ArticleFile,
  reader: FolderReader,
): Promise<ReadArticle | null> {
  const read = reader.markdown(articleFields, file);
  if (read === null) return null;
  const { fields, body, lineOf, before } = read;
  const values = fromFrontMatter(key, fields);
  const { slug } = values;
  if (body === '') reader.refuse(file, before + 1, 'has no text');
  if (reader.names.isTaken(slug))
    reader.refuse(file, lineOf('slug'), `"/${slug}" is another page’s address already`);
  if (fields.updated !== undefined && fields.updated < fields.published)
    reader.refuse(file, lineOf('updated'), 'updated: is before published');
  const pictures: Record<string, Picture> = {};
  for (const { name, alt, line } of picturesIn(body)) {
    const picture = await reader.picture(folder, name, alt, file, before + line);
    if (picture !== null) pictures[name] = picture;
  }
  const cover =
    fields.cover === undefined
      ? null
      : await reader.picture(folder, fields.cover, fields.cover_alt, file, lineOf('cover'));
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
