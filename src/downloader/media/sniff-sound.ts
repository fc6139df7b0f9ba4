import { Failure } from '../../failures/failures.ts';
import { adtsFrameLength } from './adts.ts';
import type { ByteSource } from './contracts.ts';
import { bitrates } from './mp3/layout.ts';
import { invalid, printable } from './mp4/boxes.ts';
import { type Movie, readMovie } from './mp4/read-movie.ts';
import { isMp4 } from './mp4/top-level-boxes.ts';

/** Detects the real format of a separate sound file, whatever its type and name claim. */
export type SniffedSound =
  /** AAC in mp4 (m4a): to be converted, or copied as it is. */
  | { readonly kind: 'mp4'; readonly movie: Movie }
  /** Already an mp3: passed on from `start` (its first frame), with a tag of ours before it. */
  | { readonly kind: 'mp3'; readonly start: number; readonly size: number | null }
  /** Raw AAC frames. */
  | { readonly kind: 'adts'; readonly start: number };

const headBytes = 64 * 1024;
/** Limit for all tags before the first frame. */
const maxTagBytes = 4 * 1024 * 1024;
const maxTags = 16;
/** Padding, and anything else between the tags and the first frame. Players search about as far. */
const maxJunkBytes = 64 * 1024;

/** Sounds that players know and nothing here decodes, by their first bytes. */
const otherSounds = /^(?:OggS|fLaC|RIFF....WAVE|.E\xdf\xa3|#!AMR|FORM....AIF|MAC )/s;

/**
 * Detects the format of a sound file by its first bytes. Like players it skips tags, padding and junk before the first
 * frame, and takes two frames in a row for a sound.
 * @throws Failure `sound_unsupported` for a sound in another format, `media_invalid` for anything that is no sound (a
 *   playlist, a page, an error text)
 */
export async function sniffSound(source: ByteSource, signal: AbortSignal): Promise<SniffedSound> {
  const head = await source.read(0, headBytes, signal);
  if (isMp4(head)) return { kind: 'mp4', movie: await readMovie(source, signal, head) };
  let window: Window = { start: 0, bytes: head, isEnd: head.length < headBytes };
  const moveTo = async (start: number): Promise<Window> => {
    const bytes = await source.read(start, headBytes, signal);
    return { start, bytes, isEnd: bytes.length < headBytes };
  };
  let at = 0;
  for (let tags = 0; tags < maxTags; tags++) {
    const length = taggedLength(window.bytes.subarray(at - window.start));
    if (length === 0) break;
    at += length;
    if (at > maxTagBytes) throw invalid(`tags of more than ${maxTagBytes} bytes`);
    if (at + tagHeadBytes > window.start + window.bytes.length) window = await moveTo(at);
  }
  let found = findFrames(window, at);
  if (found === null && !window.isEnd && window.start < at) {
    window = await moveTo(at);
    found = findFrames(window, at);
  }
  if (found !== null) {
    const { kind, start } = found;
    return kind === 'mp3' ? { kind, start, size: source.size } : { kind, start };
  }
  const begin = head.toString('latin1', 0, 12);
  if (otherSounds.test(begin))
    throw new Failure('sound_unsupported', { note: `a sound '${printable(begin)}'` });
  throw invalid(`sound file starts with '${printable(begin)}'`);
}

/** Enough to read the length of any tag. */
const tagHeadBytes = 32;

/** Length of a tag and of the zero bytes before it; 0 where there is no tag. */
function taggedLength(bytes: Buffer): number {
  const padding = Math.max(
    0,
    bytes.findIndex((byte) => byte !== 0),
  );
  const rest = bytes.subarray(padding);
  const length = id3v2Length(rest) || apeLength(rest);
  return length === 0 ? 0 : padding + length;
}

/** Length of an ID3v2 tag with header and footer (ID3v2.3, 3.1), 0 without one. */
export function id3v2Length(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  if ((a | b | c | d) & 0x80) return 0;
  return 10 + a * 0x200000 + b * 0x4000 + c * 0x80 + d + ((head[5] ?? 0) & 0x10 ? 10 : 0);
}

/** Length of an APEv2 tag that begins with its header (APEv2, tag header), 0 without one. */
function apeLength(head: Buffer): number {
  if (head.length < tagHeadBytes || head.toString('latin1', 0, 8) !== 'APETAGEX') return 0;
  return tagHeadBytes + head.readUInt32LE(12);
}

/** A part of the file. */
interface Window {
  readonly start: number;
  readonly bytes: Buffer;
  /** Whether the file ends here. */
  readonly isEnd: boolean;
}

/** kbit/s of MPEG-2 and 2.5 (ISO/IEC 13818-3, 2.4.2.3). */
const lowBitrates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];

/** Bytes of the layer III frame whose header is at `at` (ISO/IEC 11172-3, 2.4.2.3); 0 when there is no header. */
function mp3FrameLength(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 4);
  if (at + 4 > bytes.length || a !== 0xff || (b & 0xe6) !== 0xe2) return 0;
  const version = (b >> 3) & 3;
  const isMpeg1 = version === 3;
  const kilobits = (isMpeg1 ? bitrates : lowBitrates)[(c >> 4) - 1];
  const rate = sampleRates[(c >> 2) & 3];
  if (version === 1 || kilobits === undefined || rate === undefined) return 0;
  const sampleRate = isMpeg1 ? rate : rate / (version === 2 ? 2 : 4);
  return Math.floor(((isMpeg1 ? 144_000 : 72_000) * kilobits) / sampleRate) + ((c >> 1) & 1);
}

const frameLengths = { mp3: mp3FrameLength, adts: adtsFrameLength } as const;

/** The first frame from a position on that another of its kind follows, or that is the whole rest of the file. */
function findFrames(
  { start, bytes, isEnd }: Window,
  position: number,
): { readonly kind: 'mp3' | 'adts'; readonly start: number } | null {
  const from = position - start;
  const last = Math.min(bytes.length, from + maxJunkBytes);
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at < last; at = bytes.indexOf(0xff, at + 1))
    for (const kind of ['mp3', 'adts'] as const) {
      const lengthAt = frameLengths[kind];
      const length = lengthAt(bytes, at);
      if (length === 0) continue;
      const next = at + length;
      const isFollowed = lengthAt(bytes, next) > 0 && isAlike(bytes, at, next);
      if (isFollowed || (at === from && isEnd && next === bytes.length)) return { kind, start: start + at };
    }
  return null;
}

/** Version, layer or profile, and sample rate are the same in all frames of a stream. */
const isAlike = (bytes: Buffer, one: number, other: number) =>
  bytes[one + 1] === bytes[other + 1] && ((bytes[one + 2] ?? 0) & 0x0c) === ((bytes[other + 2] ?? 0) & 0x0c);
