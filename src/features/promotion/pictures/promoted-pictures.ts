import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { makeSizes } from '../../../content/pictures/make-sizes.ts';
import { openImage } from '../../../images/open-image.ts';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { PictureFiles } from '../../../stores/contracts/picture-files.ts';

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

/** All pictures that have been made, by where the site configuration finds them. */
export async function readPromotedPictures(
  query: Kysely<Tables>,
): Promise<ReadonlyMap<string, PromotedPicture>> {
  const rows = await query.selectFrom('promoted_pictures').selectAll().execute();
  return new Map(rows.map(({ source, picture }) => [source, JSON.parse(picture) as PromotedPicture]));
}

/**
 * Makes a picture unless it exists in the requested sizes.
 * @param source its address in the site configuration
 * @param shownWidths CSS pixels, of all positions that show it
 * @returns the size of its largest file, zero when nothing was made
 * @throws Error when it cannot be read
 */
export async function keepPromotedPicture(
  query: Kysely<Tables>,
  files: Pick<PictureFiles, 'write'>,
  source: string,
  bytes: Buffer,
  shownWidths: readonly number[],
): Promise<'made' | 'known'> {
  const { width, height } = await openImage(bytes);
  const widths = sizesFor(shownWidths, width);
  // Browsers cache files permanently: other sizes of the same original need another name.
  const id = createHash('sha256').update(bytes).update(widths.join()).digest('hex').slice(0, 20);
  const picture = JSON.stringify({ id, width, height, widths } satisfies PromotedPicture);
  const before = await query
    .selectFrom('promoted_pictures')
    .select('picture')
    .where('source', '=', source)
    .executeTakeFirst();
  if (before?.picture === picture) return 'known';
  await files.write(await makeSizes(id, bytes, widths));
  await query
    .insertInto('promoted_pictures')
    .values({ source, picture })
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ picture }))
    .execute();
  return 'made';
}
