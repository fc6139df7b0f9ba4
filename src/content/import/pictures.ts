import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { openImage } from '../../images/open-image.ts';
import type { PictureFile as MadeFile, PictureFiles } from '../../stores/contracts/picture-files.ts';
import type { Picture } from '../content.ts';
import { makeSizes } from '../make-sizes.ts';
import { readOwnFile } from './own-file.ts';
import { readSvg } from './svg.ts';

const maxPictureBytes = 20 * 2 ** 20;
const widths = [320, 640, 960, 1440];

/** A picture that an article mentions. */
interface PictureMention {
  readonly name: string;
  readonly alt: string;
  /** Line of the body. */
  readonly line: number;
}

/** A picture file beside an article. */
export interface PictureFile {
  readonly path: string;
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Whether it is an SVG, which is sharp in every size. */
  readonly isDrawing: boolean;
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

/** Inspects a picture file. @throws Error with a short description of the problem */
export async function lookAtPicture(folder: string, name: string): Promise<PictureFile> {
  if (!/^[\w][\w.-]*$/.test(name)) throw new Error('a picture has to lie in the same folder');
  const path = join(folder, name);
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink()) throw new Error(`${name} is a symbolic link`);
  if (!facts?.isFile()) throw new Error(`there is no picture ${name} beside it`);
  if (facts.size > maxPictureBytes) throw new Error(`${name} is larger than 20 MB`);
  const bytes = readOwnFile(path, maxPictureBytes);
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 20);
  if (name.endsWith('.svg')) return { path, id, ...lookAtDrawing(bytes, name), isDrawing: true };
  try {
    const { width, height } = await openImage(bytes);
    return { path, id, width, height, isDrawing: false };
  } catch (cause) {
    throw new Error(`${name} is no picture that can be read`, { cause });
  }
}

function sizesOf(width: number): number[] {
  const smaller = widths.filter((size) => size < width);
  const largest = Math.min(width, widths.at(-1) ?? width);
  return smaller.includes(largest) ? smaller : [...smaller, largest];
}

function lookAtDrawing(bytes: Uint8Array, name: string): { width: number; height: number } {
  try {
    return readSvg(bytes);
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The facts about a picture that pages need. */
export function toPictureOf({ id, path, width, height, isDrawing }: PictureFile, alt: string): Picture {
  if (isDrawing) return { id, file: basename(path), alt, widths: [], width, height };
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

async function filesOf({ path, id, width, isDrawing }: PictureFile): Promise<readonly MadeFile[]> {
  const bytes = readOwnFile(path, maxPictureBytes);
  return isDrawing
    ? [
        { id, width: 0, format: 'original', bytes },
        { id, width, format: 'svg', bytes },
      ]
    : makeSizes(id, bytes, sizesOf(width));
}

/** Those that are not stored yet, each once. */
async function missing(
  pictures: Pick<PictureFiles, 'ids'>,
  files: readonly PictureFile[],
): Promise<readonly PictureFile[]> {
  const known = new Set(await pictures.ids());
  return files.filter(({ id }) => !known.has(id) && known.add(id));
}

/** Decodes the missing pictures. @returns the paths of those with a readable head and an unreadable rest, and why */
export async function* brokenPictures(
  pictures: Pick<PictureFiles, 'ids'>,
  files: readonly PictureFile[],
): AsyncIterable<readonly [string, string]> {
  for (const { path, isDrawing } of await missing(pictures, files)) {
    if (isDrawing) continue;
    try {
      const { image } = await openImage(readOwnFile(path, maxPictureBytes));
      // The smallest result that takes every row.
      await image.resize({ width: 1 }).raw().toBuffer();
    } catch (error) {
      yield [path, (error as Error).message];
    }
  }
}

/** Makes the missing pictures in all sizes and formats. */
export async function* makePictures(
  pictures: Pick<PictureFiles, 'ids'>,
  files: readonly PictureFile[],
): AsyncIterable<readonly MadeFile[]> {
  for (const file of await missing(pictures, files)) yield await filesOf(file);
}
