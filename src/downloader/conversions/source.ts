import { createHash } from 'node:crypto';
import { heavyKeys } from '../../stores/contracts/conversion-jobs.ts';
import { writeCut } from '../cutting/cut.ts';
import type { AdtsSound, FadeOut } from '../media/contracts.ts';
import { mp3Bitrate } from '../media/mp3/layout.ts';
import type { Post } from '../post/post.ts';
import type { TicketConversion, TicketSlideshow, TicketSound } from '../tickets/ticket-file.ts';

interface ConversionRequest<File extends TicketConversion = TicketConversion> {
  readonly work: File;
  /** The visitor it is accounted to. */
  readonly visitor: string;
  /** True under overload: speed is preferred to quality. */
  readonly fast: boolean;
  readonly signal: AbortSignal;
  /** Called with the finished fraction (0 to 1) of a file whose size is known only at the end. */
  readonly progress: (fraction: number) => void;
}

export type SoundRequest = ConversionRequest<TicketSound>;

/** A file that is known well enough to promise its size, and is made while it is read, or is made. */
export interface PreparedFile {
  /** Exact bytes of the finished file. */
  readonly length: number;
  /** A strong validator, quotes included: equal for equal bytes on every instance. */
  readonly etag: string;
  /**
   * The file's bytes; can be read once. Ends every process, socket and thread when the iteration ends in any manner or
   * the request's signal aborts.
   * @throws Failure, or the signal's reason
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Gives back what the file takes until it is read. To be called once, also when it is never read. */
  readonly release?: () => Promise<void>;
}

/** Makes the file of a conversion out of the post. */
export interface FileMaker<File extends TicketConversion = TicketConversion> {
  /** @throws Failure `sound_missing`, `post_gone`, `media_unavailable`, … or the signal's reason */
  prepare(request: ConversionRequest<File>): Promise<PreparedFile>;
}

export interface SoundMaker extends FileMaker<TicketSound> {
  /**
   * The source of the mp3, for an encoder in another process.
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

export type SlideshowMaker = FileMaker<TicketSlideshow>;

/**
 * Raise it when the bytes made from the same sound change for another reason than the bit rate: stored files of older
 * versions are then not found.
 */
const makerVersion = 3;

/** The version of slideshow files. */
const slideshowVersion = 1;

/** The name under which the finished file is stored: `[a-z0-9-]`, unique for each work. */
export function fileKey(work: TicketConversion): string {
  const { post } = work;
  if (work.kind === 'slideshow')
    return `${heavyKeys}${post.platform}-${idInKey(post.id)}-v${slideshowVersion}`;
  const { format, cut, song } = work;
  const quality = format === 'mp3' ? `-${mp3Bitrate / 1000}k` : '';
  const part = cut === undefined ? '' : `-cut-${writeCut(cut)}`;
  return `${format}${song ? '-song' : ''}-${post.platform}-${idInKey(post.id)}${quality}-v${makerVersion}${part}`;
}

/** Encodes an id for keys. Some file systems ignore case, so a capital becomes a hyphen and its small letter. */
function idInKey(id: string): string {
  return id.replace(/[A-Z_-]/g, (sign) => `-${{ '-': '-', _: '0' }[sign] ?? sign.toLowerCase()}`);
}

/** The validator of a work's file. @param parts everything else that determines the bytes: encoder, mode, tag */
export function etagOf(
  work: TicketConversion,
  length: number,
  parts: readonly (string | number | boolean)[],
): string {
  const hash = createHash('sha256')
    .update(`${fileKey(work)}\n${length}\n${parts.join(' ')}`)
    .digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}
