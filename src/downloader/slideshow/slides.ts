import { join } from 'node:path';
import { Failure } from '../../failures/failures.ts';
import { inOrder } from '../async/parallel.ts';
import { readAlbum } from '../pictures/album.ts';
import type { PictureSize, Pictures } from '../pictures/pictures.ts';
import type { Post } from '../post/post.ts';
import type { PostResolver } from '../posts/resolver.ts';
import { chooseCanvas, mostPixels } from './plan.ts';
import { ByteFile } from './scratch.ts';

export interface SlideReader {
  readonly resolver: Pick<PostResolver, 'resolve'>;
  readonly pictures: Pick<Pictures, 'slide' | 'fill'>;
}

/** The pictures of a video, one after the other in a file, and the last one twice. */
export interface Slides {
  readonly path: string;
  readonly count: number;
  readonly size: PictureSize;
}

/** A picture that was read, and its path. */
interface KeptPicture extends PictureSize {
  readonly start: number;
  readonly length: number;
}

/** Pictures that are fetched at the same time, and then made as large as the video. */
const atOnce = 3;
/** Limit for all pictures of a video; one has some 300 kB. */
const maxBytes = 128 * 2 ** 20;

/**
 * Reads the pictures of a post and resizes them to the same size. Leaves out pictures that are unavailable or cannot be
 * decoded here; uses the still picture of a moving one.
 * @param folder where files are made
 * @param progress called with the finished fraction, from 0 to 1
 * @throws Failure of the first picture when none is available, `option_missing`, or the signal's reason
 */
export async function readSlides(
  { resolver, pictures }: SlideReader,
  post: Post,
  folder: string,
  progress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Slides> {
  const file = await ByteFile.create(join(folder, 'pictures'), maxBytes);
  try {
    const kept: KeptPicture[] = [];
    let lost: Failure | null = null;
    const album = readAlbum(
      {
        resolver,
        read: (_, source, limited) => pictures.slide(source, mostPixels, limited),
        motions: false,
        atOnce,
      },
      post,
      signal,
    );
    for await (const part of album) {
      if ('missing' in part) lost ??= part.missing;
      else {
        const { bytes, width, height } = part.result;
        kept.push({ width, height, start: await file.append(bytes), length: bytes.length });
      }
      progress((part.index + 1) / post.pictures.length);
    }
    if (kept.length === 0) throw lost ?? new Failure('option_missing', { note: 'no pictures' });
    const size = chooseCanvas(kept);
    const path = join(folder, 'slides');
    await writeFrames(
      path,
      kept,
      async ({ start, length, width, height }) => {
        const bytes = await file.read(start, length);
        const fits = width === size.width && height === size.height;
        return fits ? bytes : (await pictures.fill(bytes, size)).bytes;
      },
      signal,
    );
    return { path, count: kept.length, size };
  } finally {
    await file.close();
  }
}

async function writeFrames(
  path: string,
  kept: readonly KeptPicture[],
  make: (picture: KeptPicture) => Promise<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const file = await ByteFile.create(path, maxBytes);
  try {
    let last: Buffer = Buffer.alloc(0);
    for await (const bytes of inOrder(kept, atOnce, signal, make)) {
      await file.append(bytes);
      last = bytes;
    }
    await file.append(last);
  } finally {
    await file.close();
  }
}
