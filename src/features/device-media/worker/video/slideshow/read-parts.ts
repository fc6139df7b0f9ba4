import { joined } from '../../../../../downloader/media/joined.ts';
import { type PartsHead, prefixBytes, readHead, readPrefix, signs } from '../../../wire/slideshow-parts.ts';
import { ArrivingBytes } from '../../arriving-bytes.ts';

/** All that a video is made of, as files. */
export interface VideoParts {
  readonly head: PartsHead;
  /** Null without a sound. */
  readonly sound: Uint8Array<ArrayBuffer> | null;
  /** The post has a sound that cannot be had. */
  readonly isSoundLost: boolean;
  /** The pictures that could be had, in their order. */
  readonly pictures: readonly Blob[];
}

/** For all files of a video, as much as the server keeps for one. */
const maxBytes = 160 * 2 ** 20;

/**
 * Reads the parts of a video.
 * @param progress called with the fraction of the pictures that have arrived
 * @throws Error, ZodError, SyntaxError when they are none, or not whole
 */
export async function readParts(
  body: ReadableStream<Uint8Array>,
  progress: (fraction: number) => void,
): Promise<VideoParts> {
  const bytes = new ArrivingBytes(body);
  const sound: Uint8Array<ArrayBuffer>[] = [];
  const pictures: Blob[] = [];
  let head: PartsHead | null = null;
  let isSoundLost = false;
  let [slides, total] = [0, 0];
  for (;;) {
    const { sign, length } = readPrefix(await bytes.take(prefixBytes));
    total += length;
    if (total > maxBytes) throw new Error(`more than ${maxBytes} bytes for a video`);
    const content = await bytes.take(length);
    if (head === null) {
      if (sign !== signs.head) throw new Error('parts without a head');
      head = readHead(content);
      continue;
    }
    if (sign === signs.end)
      return { head, sound: isSoundLost ? null : head.sound && joined(...sound), isSoundLost, pictures };
    if (sign === signs.sound) sound.push(content);
    if (sign === signs.soundLost) isSoundLost = true;
    if (sign === signs.picture) pictures.push(new Blob([content]));
    if (sign === signs.picture || sign === signs.missing) slides += 1;
    progress(Math.min(1, slides / head.slides));
  }
}
