import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { ArticleToSave, Picture } from '../content.ts';
import type { MarkdownFile } from '../files/front-matter.ts';
import { articleFields, fromFrontMatter } from './fields.ts';
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
