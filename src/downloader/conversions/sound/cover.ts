import { Failure } from '../../../failures/failures.ts';
import { withTimeLimit } from '../../async/time-limit.ts';
import type { CoverPicture } from '../../media/tags.ts';
import type { Pictures } from '../../pictures/pictures.ts';
import { type Post, songOf } from '../../post/post.ts';

/**
 * The picture for a post's sound file, a song's own before the post's; null without one. Never throws but for the
 * signal.
 */
export type ReadCover = (post: Post, signal: AbortSignal) => Promise<CoverPicture | null>;

export interface CoverOptions {
  readonly pictures: Pick<Pictures, 'jpeg' | 'shrink'>;
  /** Called with the reason when a cover is missing: the sound is made without it. */
  readonly onMissing: (error: unknown) => void;
  /** The sound's first byte does not wait longer for its cover. */
  readonly limitMs?: number;
  /** A larger picture is made smaller. */
  readonly maxBytes?: number;
}

const smallerWidth = 600;

/** Reads covers as JPEG, in a size that suits a sound file, within a time limit that visitors do not notice. */
export function createCoverReader({
  pictures,
  onMissing,
  limitMs = 1000,
  maxBytes = 200_000,
}: CoverOptions): ReadCover {
  async function readWithin(post: Post, signal: AbortSignal): Promise<CoverPicture | null> {
    const cover = songOf(post)?.cover ?? post.cover;
    if (cover === null) return null;
    const { bytes, release } = await pictures.jpeg(cover, signal);
    try {
      const fit = bytes.length <= maxBytes ? bytes : await pictures.shrink(bytes, smallerWidth);
      if (fit.length > maxBytes) throw new Failure('media_invalid', { note: `cover of ${fit.length} bytes` });
      return { mime: 'image/jpeg', bytes: fit };
    } finally {
      release();
    }
  }

  return async (post, signal) => {
    try {
      return await withTimeLimit(limitMs, signal, (limited) => readWithin(post, limited));
    } catch (error) {
      signal.throwIfAborted();
      onMissing(error);
      return null;
    }
  };
}
