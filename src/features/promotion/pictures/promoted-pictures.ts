import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { makeSizes } from '../../../content/make-sizes.ts';
import { BackendError, readBounded } from '../../../http-client/client.ts';
import type { Locale } from '../../../i18n/languages.ts';
import { openImage } from '../../../images/open-image.ts';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { PictureFiles } from '../../../stores/contracts/picture-files.ts';
import type { Item, Size } from '../item.ts';
import { hasRatio, pictureSource } from '../item-fields.ts';

/** A picture that is larger than this is no banner. */
const maxBytes = 5 * 2 ** 20;
const limitMs = 20_000;

/** A picture as it is found, and its size in pixels. */
type SourcePicture = Size & { readonly bytes: Buffer };

/** Only the configuration decides on a picture's source. */
const openSource = async (source: string, folder: string): Promise<Response> =>
  /^https?:/.test(source)
    ? fetch(source, { redirect: 'error', signal: AbortSignal.timeout(limitMs) })
    : new Response(Readable.toWeb(createReadStream(resolve(folder, source))) as ReadableStream);

/** Why a source could not be read: the code of a file, or the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  return code ?? (cause instanceof Error ? cause.message : message);
}

/**
 * Reads a picture of the site configuration.
 * @param source an address, or a path
 * @param folder of the configuration file, to which paths are relative
 * @throws Error with a short description of the problem
 */
export async function readPictureSource(source: string, folder: string): Promise<SourcePicture> {
  let bytes: Buffer;
  try {
    const response = await openSource(source, folder);
    if (!response.ok) throw new Error(`answered with ${response.status}`);
    bytes = await readBounded(response, maxBytes);
  } catch (cause) {
    const isTooBig = cause instanceof BackendError;
    throw new Error(isTooBig ? 'is too big: more than 5 MB' : `is missing: ${reasonOf(cause)}`, { cause });
  }
  try {
    const { width, height } = await openImage(bytes);
    return { bytes, width, height };
  } catch (cause) {
    throw new Error(`is no picture that can be read: ${(cause as Error).message}`, { cause });
  }
}

/** The picture of an ad, made into several sizes; its files are at `/pictures/{id}-{width}.{format}`. */
export interface PromotedPicture {
  readonly id: string;
  /** Pixels of the original. */
  readonly width: number;
  readonly height: number;
  /** All widths in pixels, the smallest first; each exists as avif, webp and jpg. */
  readonly widths: readonly number[];
}

/** On screens with two device pixels per CSS pixel the difference is visible; beyond that hardly. */
const densities = [1, 2];

/** The sizes in which a picture is made that is shown so wide. */
function sizesFor(shownWidths: readonly number[], width: number): number[] {
  const sizes = shownWidths.flatMap((shown) => densities.map((density) => Math.min(shown * density, width)));
  return [...new Set(sizes)].sort((one, other) => one - other);
}

/** A picture of an ad, as downloaded from the address in the site configuration. */
interface PromotedPictureTable {
  /** Its address, or its path beside the configuration file. */
  source: string;
  /** JSON of `PromotedPicture`. */
  picture: string;
}

const tablesOf = (database: Kysely<Tables>) =>
  database.$extendTables<{ promoted_pictures: PromotedPictureTable }>();

/** All pictures that have been made, by where the site configuration finds them. */
export async function readPromotedPictures(
  database: Kysely<Tables>,
): Promise<ReadonlyMap<string, PromotedPicture>> {
  const rows = await tablesOf(database).selectFrom('promoted_pictures').selectAll().execute();
  return new Map(rows.map(({ source, picture }) => [source, JSON.parse(picture) as PromotedPicture]));
}

/**
 * Makes a picture unless it exists in the requested sizes.
 * @param source its address in the site configuration
 * @param shownWidths CSS pixels, of all positions that show it
 */
export async function keepPromotedPicture(
  database: Kysely<Tables>,
  files: Pick<PictureFiles, 'write'>,
  source: string,
  { bytes, width, height }: SourcePicture,
  shownWidths: readonly number[],
): Promise<'made' | 'known'> {
  const widths = sizesFor(shownWidths, width);
  // Browsers cache files permanently: other sizes of the same original need another name.
  const id = createHash('sha256').update(bytes).update(widths.join()).digest('hex').slice(0, 20);
  const picture = JSON.stringify({ id, width, height, widths } satisfies PromotedPicture);
  if ((await readPromotedPictures(database)).get(source)?.id === id) return 'known';
  await files.write(await makeSizes(id, bytes, widths));
  await tablesOf(database)
    .insertInto('promoted_pictures')
    .values({ source, picture })
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ picture }))
    .execute();
  return 'made';
}

/** A picture that the site configuration names, and the items that show it. */
interface ReferencedPicture {
  /** An `https://` address, or a path beside the configuration file. */
  readonly source: string;
  readonly items: readonly Item[];
}

/** Every picture that pages of these languages show. */
export function referencedPictures(items: readonly Item[], locales: readonly Locale[]): ReferencedPicture[] {
  const named = items.flatMap((item) => {
    const { picture } = item;
    const sources = picture === null ? [] : locales.map((locale) => pictureSource(picture, locale));
    return [...new Set(sources)].map((source) => ({ source, item }));
  });
  return [...Map.groupBy(named, ({ source }) => source)].map(([source, places]) => ({
    source,
    items: places.map(({ item }) => item),
  }));
}

/** Screens have up to four times as many pixels as CSS counts; what is more is never seen. */
const mostDensity = 4;

const sizeText = ({ width, height }: Size) => `${width}x${height}`;

/** The problems of a picture in its positions, in a few words each. @param picture its size in pixels */
export function pictureProblems({ items }: Pick<ReferencedPicture, 'items'>, picture: Size): string[] {
  const is = `is ${sizeText(picture)}`;
  const problems = items.flatMap(({ field, size }) => {
    const real = { width: size.real_width ?? picture.width, height: size.real_height ?? picture.height };
    const place = `${field} shows it in ${sizeText(size)}`;
    if (!hasRatio(picture, size)) return [`${is}, which is another ratio: ${place}`];
    if (picture.width < size.width) return [`${is}, which is too small: ${place}`];
    if (picture.width > size.width * mostDensity) return [`${is}, which is too big: ${place}`];
    return sizeText(real) === sizeText(picture)
      ? []
      : [`${is}, and ${field} says that it is ${sizeText(real)}`];
  });
  return [...new Set(problems)];
}
