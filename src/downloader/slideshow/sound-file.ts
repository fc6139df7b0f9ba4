import { join } from 'node:path';
import { Failure } from '../../failures/failures.ts';
import { adtsFrameEnds } from '../media/adts.ts';
import type { ByteSource } from '../media/contracts.ts';
import { samplesPerFrame } from '../media/mp4/sound-track.ts';
import { ByteFile } from './byte-file.ts';
import { convertToAac, type VideoTools } from './ffmpeg-tools.ts';
import { openSound } from './open-sound.ts';
import { maxSoundBytes, maxSoundS } from './timing.ts';

/** The sound of a video as a file of ADTS frames. */
export interface SoundFile {
  readonly path: string;
  /** Seconds of one pass; the file may hold several. */
  readonly durationS: number;
}

const encodedRate = 44_100;

interface AacSound {
  readonly frames: AsyncIterable<Uint8Array>;
  readonly sampleRate: number;
}

/**
 * Writes a post's sound as AAC that every player supports: its own frames if they qualify, otherwise re-encoded.
 * @param leastS the sound is repeated until it lasts at least this long
 * @throws Failure `media_unavailable`, `media_invalid`, `media_too_large`, `conversion_failed`, or the signal's reason
 */
export async function writeSoundFile(
  tools: VideoTools,
  source: ByteSource,
  folder: string,
  leastS: number,
  signal: AbortSignal,
): Promise<SoundFile> {
  const path = join(folder, 'sound');
  const { frames, sampleRate } = await aacOf(tools, source, signal);
  const file = await ByteFile.create(path, maxSoundBytes);
  try {
    const count = await writeFrames(file, frames, maxSoundS * (sampleRate / samplesPerFrame));
    const durationS = (count * samplesPerFrame) / sampleRate;
    if (count === 0) throw new Failure('sound_missing', { note: 'a sound without frames' });
    const once = file.length;
    for (let passes = 1; passes * durationS < leastS; passes += 1) await copy(file, once, signal);
    return { path, durationS };
  } finally {
    await file.close();
  }
}

async function aacOf(tools: VideoTools, source: ByteSource, signal: AbortSignal): Promise<AacSound> {
  const sound = await openSound(source, signal);
  if (sound.format === 'aac' && sound.isPlain) return { frames: sound.bytes, sampleRate: sound.sampleRate };
  return { frames: convertToAac(tools, sound, encodedRate, signal), sampleRate: encodedRate };
}

/** @returns how many frames there are */
async function writeFrames(
  file: ByteFile,
  chunks: AsyncIterable<Uint8Array>,
  maxFrames: number,
): Promise<number> {
  let count = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const ends = [...adtsFrameEnds(bytes)];
    const end = ends.at(-1) ?? 0;
    count += ends.length;
    rest = bytes.subarray(end);
    if (count > maxFrames)
      throw new Failure('media_too_large', { note: `more than ${maxSoundS} s of sound` });
    if (rest.length > 2 ** 16) throw new Failure('media_invalid', { note: 'no ADTS frames' });
    await file.append(bytes.subarray(0, end));
  }
  return count;
}

const copyBytes = 256 * 1024;

/** Appends the first bytes of a file to it. */
async function copy(file: ByteFile, length: number, signal: AbortSignal): Promise<void> {
  for (let at = 0; at < length; at += copyBytes) {
    signal.throwIfAborted();
    await file.append(await file.read(at, Math.min(copyBytes, length - at)));
  }
}
