import { createHash } from 'node:crypto';
import { heavyKeys } from '../../stores/contracts/conversion-jobs.ts';
import { writeCut } from '../cutting/cut.ts';
import type { AdtsSound, FadeOut } from '../media/contracts.ts';
import { mp3Bitrate } from '../media/mp3/layout.ts';
import type { Post } from '../posts/post.ts';
import type { ConversionWork, SlideshowWork, SoundWork } from '../tickets/work.ts';

interface ConversionRequest<Work extends ConversionWork = ConversionWork> {
  readonly work: Work;
  /** On whose account it is made. */
  readonly visitor: string;
  /** True under overload: quality may give way to speed. */
  readonly fast: boolean;
  readonly signal: AbortSignal;
  /** Told from 0 to 1 how far a file is made whose size is known only at the end. */
  readonly progress: (fraction: number) => void;
}

export type SoundRequest = ConversionRequest<SoundWork>;

/** A file that is known well enough to promise its size, and is made while it is read, or is made. */
export interface PreparedFile {
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
  /** Gives back what the file takes until it is read. To be called once, also when it is never read. */
  readonly release?: () => Promise<void>;
}

/** Makes the file of a conversion out of the post. */
export interface FileMaker<Work extends ConversionWork = ConversionWork> {
  /** @throws Failure `sound_missing`, `post_gone`, `media_unavailable`, … or the signal's reason */
  prepare(request: ConversionRequest<Work>): Promise<PreparedFile>;
}

export interface SoundMaker extends FileMaker<SoundWork> {
  /**
   * What the mp3 is encoded from, for whoever encodes it elsewhere.
   * @returns null for a sound that is an mp3 already
   * @throws as `prepare`
   */
  openFrames(request: SoundRequest): Promise<SoundFrames | null>;
}

/** All that an mp3 is made of. */
export interface SoundFrames {
  readonly post: Post;
  readonly sound: AdtsSound;
  /** Stands before the first frame. */
  readonly tag: Uint8Array;
  readonly fade: FadeOut | undefined;
}

export type SlideshowMaker = FileMaker<SlideshowWork>;

/** Raise it when the bytes that we make of the same sound change, other than with the bit rate: older kept files are not found then. */
const makerVersion = 3;

/** The same for slideshows. */
const slideshowVersion = 1;

/** The name under which the finished file is kept: `[a-z0-9-]`, another one for each work. */
export function fileKey(work: ConversionWork): string {
  const { post } = work;
  if (work.kind === 'slideshow')
    return `${heavyKeys}${post.platform}-${idInKey(post.id)}-v${slideshowVersion}`;
  const { format, cut } = work;
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
  work: ConversionWork,
  length: number,
  parts: readonly (string | number | boolean)[],
): string {
  const hash = createHash('sha256')
    .update(`${fileKey(work)}\n${length}\n${parts.join(' ')}`)
    .digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}
