import type { ByteSource } from './contracts.ts';
import { invalid, printable } from './mp4/boxes.ts';
import { type Movie, readMovie } from './mp4/read-movie.ts';
import { isMp4 } from './mp4/top-level-boxes.ts';

/** Detects the real format of a separate sound file, whatever its type and name claim. */
export type SniffedSound =
  /** AAC in mp4 (m4a): to be converted, or copied as it is. */
  | { readonly kind: 'mp4'; readonly movie: Movie }
  /** Already an mp3: passed on from `start` (after its own ID3v2 tag), with a tag of ours before it. */
  | { readonly kind: 'mp3'; readonly start: number; readonly size: number | null }
  /** Raw AAC frames. */
  | { readonly kind: 'adts'; readonly start: number };

const headBytes = 64 * 1024;
const maxTagBytes = 4 * 1024 * 1024;

/**
 * Detects the format of a sound file by its first bytes.
 * @throws Failure `media_invalid` for anything that is no sound (a playlist, a page, an error text)
 */
export async function sniffSound(source: ByteSource, signal: AbortSignal): Promise<SniffedSound> {
  const head = await source.read(0, headBytes, signal);
  if (isMp4(head)) return { kind: 'mp4', movie: await readMovie(source, signal, head) };
  const start = id3v2Length(head);
  if (start > maxTagBytes) throw invalid(`ID3 tag of ${start} bytes`);
  const frame = start + 4 <= head.length ? head.subarray(start) : await source.read(start, 4096, signal);
  if (isMp3Frame(frame)) return { kind: 'mp3', start, size: source.size };
  if (isAdtsFrame(frame)) return { kind: 'adts', start };
  throw invalid(`sound file starts with '${printable(head.toString('latin1', 0, 12))}'`);
}

/** Length of an ID3v2 tag with header and footer (ID3v2.3, 3.1), 0 without one. */
export function id3v2Length(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  if ((a | b | c | d) & 0x80) return 0;
  return 10 + a * 0x200000 + b * 0x4000 + c * 0x80 + d + ((head[5] ?? 0) & 0x10 ? 10 : 0);
}

/** A layer III frame header with a real bit rate and sample rate (ISO/IEC 11172-3, 2.4.2.3). */
function isMp3Frame(bytes: Buffer): boolean {
  const [a = 0, b = 0, c = 0] = bytes;
  const version = (b >> 3) & 3;
  const bitrate = c >> 4;
  return (
    a === 0xff &&
    (b & 0xe0) === 0xe0 &&
    version !== 1 &&
    ((b >> 1) & 3) === 1 &&
    bitrate > 0 &&
    bitrate < 15 &&
    ((c >> 2) & 3) !== 3
  );
}

function isAdtsFrame(bytes: Buffer): boolean {
  return bytes.length >= 7 && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0;
}
