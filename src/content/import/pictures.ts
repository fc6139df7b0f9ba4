import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Kysely } from 'kysely';
import remarkParse from 'remark-parse';
import type { Sharp } from 'sharp';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { openImage } from '../../images/open-image.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Picture } from '../content.ts';
import { readOwnFile } from './own-file.ts';

const maxPictureBytes = 20 * 2 ** 20;
const widths = [320, 640, 960, 1440];

/** A picture that an article mentions. */
export interface PictureMention {
  readonly name: string;
  readonly alt: string;
  /** Line of the body. */
  readonly line: number;
}

/** A picture file as it lies beside an article. */
export interface PictureFile {
  readonly path: string;
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** The pictures beside it that a Markdown text mentions. */
export function picturesIn(body: string): PictureMention[] {
  // Reading Markdown is the dearest part of an import, and most articles have no pictures.
  if (!body.includes('![')) return [];
  const found: PictureMention[] = [];
  visit(unified().use(remarkParse).parse(body), 'image', ({ url, alt, position }) => {
    if (!/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(url))
      found.push({ name: url.replace(/^\.\//, ''), alt: alt ?? '', line: position?.start.line ?? 1 });
  });
  return found;
}

/**
 * Looks at a picture file.
 * @throws Error saying in a few words what is wrong with it
 */
export async function lookAtPicture(folder: string, name: string): Promise<PictureFile> {
  if (!/^[\w][\w.-]*$/.test(name)) throw new Error('a picture has to lie in the same folder');
  const path = join(folder, name);
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink()) throw new Error(`${name} is a symbolic link`);
  if (!facts?.isFile()) throw new Error(`there is no picture ${name} beside it`);
  if (facts.size > maxPictureBytes) throw new Error(`${name} is larger than 20 MB`);
  const bytes = readOwnFile(path, maxPictureBytes);
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 20);
  try {
    const { width, height } = await openImage(bytes);
    return { path, id, width, height };
  } catch (cause) {
    throw new Error(`${name} is no picture that can be read`, { cause });
  }
}

function sizesOf(width: number): number[] {
  const smaller = widths.filter((size) => size < width);
  const largest = Math.min(width, widths.at(-1) ?? width);
  return smaller.includes(largest) ? smaller : [...smaller, largest];
}

/** What pages need to know of a picture. */
export function toPictureOf({ id, path, width, height }: PictureFile, alt: string): Picture {
  const sizes = sizesOf(width);
  const largest = sizes.at(-1) ?? width;
  return {
    id,
    file: basename(path),
    alt,
    widths: sizes,
    width: largest,
    height: Math.max(1, Math.round((height * largest) / width)),
  };
}

const formats = {
  avif: (picture: Sharp) => picture.avif({ quality: 55, effort: 3 }),
  webp: (picture: Sharp) => picture.webp({ quality: 78 }),
  jpg: (picture: Sharp) => picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80, mozjpeg: true }),
};

/** The pictures that are not in the database yet, made into all sizes and formats. */
export async function* makePictures(
  query: Kysely<Tables>,
  files: readonly PictureFile[],
): AsyncIterable<Tables['pictures'][]> {
  const rows = await query.selectFrom('pictures').select('id').distinct().execute();
  const known = new Set(rows.map(({ id }) => id));
  for (const file of files) {
    if (known.has(file.id)) continue;
    known.add(file.id);
    const bytes = readOwnFile(file.path, maxPictureBytes);
    const made: Tables['pictures'][] = [{ id: file.id, width: 0, format: 'original', bytes }];
    for (const width of sizesOf(file.width))
      for (const [format, encode] of Object.entries(formats)) {
        const { image } = await openImage(bytes);
        const picture = image.resize({ width, withoutEnlargement: true });
        made.push({ id: file.id, width, format, bytes: await encode(picture).toBuffer() });
      }
    yield made;
  }
}
