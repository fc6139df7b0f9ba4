import { createHash } from 'node:crypto';
import { writeCut } from '../cutting/cut.ts';
import { mp3Bitrate } from '../media/mp3/layout.ts';
import type { SoundWork } from '../tickets/work.ts';

export interface SoundRequest {
  readonly work: SoundWork;
  /** On whose account it is made. */
  readonly visitor: string;
  /** True under overload: quality may give way to speed. */
  readonly fast: boolean;
  readonly signal: AbortSignal;
}

/** A sound that is known well enough to promise its size, and not made yet. Holds nothing open. */
export interface PreparedSound {
  /** Exact bytes of the finished file. */
  readonly length: number;
  /** A strong validator, quotes included: the same for the same bytes, whoever makes them. */
  readonly etag: string;
  /**
   * The file's bytes; can be read once. Ends every process, socket and thread however the iteration ends, and when the
   * request's signal is aborted.
   * @throws Failure, or the signal's reason
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Makes the file of a conversion out of the post. */
export interface SoundMaker {
  /** @throws Failure `sound_missing`, `post_gone`, `media_unavailable`, … or the signal's reason */
  prepare(request: SoundRequest): Promise<PreparedSound>;
}

/** Raise it when the bytes that we make of the same sound change, other than with the bit rate: older kept files are not found then. */
const makerVersion = 3;

/** The name under which the finished file is kept: `[a-z0-9-]`, another one for each work. */
export function fileKey({ format, post, cut }: SoundWork): string {
  const quality = format === 'mp3' ? `-${mp3Bitrate / 1000}k` : '';
  const part = cut === undefined ? '' : `-cut-${writeCut(cut)}`;
  return `${format}-${post.platform}-${idInKey(post.id)}${quality}-v${makerVersion}${part}`;
}

/** An id in the letters of keys. Some file systems do not tell capitals: each is a hyphen and its small letter. */
function idInKey(id: string): string {
  return id.replace(/[A-Z_-]/g, (sign) => `-${{ '-': '-', _: '0' }[sign] ?? sign.toLowerCase()}`);
}

/**
 * The validator of a work's file.
 * @param parts everything besides the work that decides on the bytes: encoder, mode, tag
 */
export function etagOf(
  work: SoundWork,
  length: number,
  parts: readonly (string | number | boolean)[],
): string {
  const hash = createHash('sha256')
    .update(`${fileKey(work)}\n${length}\n${parts.join(' ')}`)
    .digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}
