import { join } from 'node:path';
import { Failure, isOfOneFile } from '../../failures/failures.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import { adtsFrameEnds, readAdts } from '../media/adts.ts';
import type { AacConfig, ByteSource } from '../media/contracts.ts';
import { type FedFfmpeg, spawnFfmpeg, throughFfmpeg } from '../media/ffmpeg-process.ts';
import { EncodingLimits } from '../media/mp3/bounded-encode.ts';
import { samplesPerFrame } from '../media/mp4/sound-track.ts';
import { readSound } from '../media/read-sound.ts';
import { sniffSound } from '../media/sniff-sound.ts';
import { planSound } from '../media/sound-plan.ts';
import { quietly, type VideoTools } from './encode-video.ts';
import { maxSoundBytes, maxSoundS } from './plan.ts';
import { asDiskFailure, ByteFile } from './scratch.ts';

/** A post's sound as one stream, without an address or a container around it: ffmpeg can be trusted with it. */
export type OpenedSound =
  | { readonly format: 'mp3'; readonly bytes: AsyncIterable<Uint8Array> }
  /** Frames with ADTS headers. */
  | {
      readonly format: 'aac';
      readonly bytes: AsyncIterable<Uint8Array>;
      readonly sampleRate: number;
      /** LC in mono or stereo, which is heard everywhere: such a sound is copied. */
      readonly isPlain: boolean;
    };

/** Time limit for the sound's index. */
const sniffLimitMs = 30_000;

const isPlain = ({ objectType, channels }: AacConfig) => objectType === 2 && channels <= 2;

/**
 * Opens the sound of a slideshow, whatever container it comes in.
 * @throws Failure `media_unavailable`, `media_invalid`, `platform_timeout` …, or the signal's reason; so does reading it
 */
export async function openSound(source: ByteSource, signal: AbortSignal): Promise<OpenedSound> {
  const sniffed = await withTimeLimit(sniffLimitMs, signal, (limited) => sniffSound(source, limited));
  if (sniffed.kind === 'mp3') return { format: 'mp3', bytes: source.stream(sniffed.start, null, signal) };
  const { config, frames } =
    sniffed.kind === 'adts'
      ? await readAdts(source, sniffed.start, signal)
      : readSound(source, sniffed.movie, planSound(sniffed.movie), { signal });
  return { format: 'aac', bytes: frames, sampleRate: config.sampleRate, isPlain: isPlain(config) };
}

/** The sound of a video as a file of ADTS frames. */
export interface SoundFile {
  readonly path: string;
  /** Seconds of one pass; the file may hold several. */
  readonly durationS: number;
}

/** Hz of a sound that is encoded again. */
const encodedRate = 44_100;
const encodingLimitMs = 300_000;
const encodingMemoryBytes = 256 * 2 ** 20;

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
  return { frames: convertToAac(tools, sound, signal), sampleRate: encodedRate };
}

/** A sound as ADTS frames of AAC LC, in stereo at 128 kbit/s. Reading them throws a Failure, or the signal's reason. */
function convertToAac(
  tools: VideoTools,
  { format, bytes }: OpenedSound,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const args = [
    ...quietly,
    ...['-threads', '1', '-protocol_whitelist', 'pipe', '-f', format, '-i', 'pipe:0'],
    ...['-map', '0:a:0', '-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '128k', '-ar', `${encodedRate}`],
    ...['-ac', '2', '-map_metadata', '-1', '-f', 'adts', 'pipe:1'],
  ];
  return {
    [Symbol.asyncIterator]() {
      const bounds = { cpuMs: encodingLimitMs, memoryBytes: encodingMemoryBytes, fileBytes: 0 };
      const child = spawnFfmpeg<FedFfmpeg>(tools, args, bounds, ['pipe', 'pipe', 'pipe']);
      return throughFfmpeg(child, bytes, new EncodingLimits(signal, encodingLimitMs));
    },
  };
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

/**
 * The sound of a slideshow's video; null when it cannot be had or read, since its pictures are worth a video alone.
 * @throws what says more than that of the post or of this machine (`post_gone`, `storage_full` …), or the signal's reason
 */
export async function soundOrNone<Sound>(
  read: () => Promise<Sound>,
  signal: AbortSignal,
): Promise<Sound | null> {
  try {
    return await read();
  } catch (thrown) {
    signal.throwIfAborted();
    if (isOfSound(asDiskFailure(thrown))) return null;
    throw thrown;
  }
}

/** The post was read a moment ago: that it cannot be read again only means that there are no fresh addresses. */
const isOfSound = (thrown: unknown) =>
  isOfOneFile(thrown) ||
  (thrown instanceof Failure &&
    (thrown.key.startsWith('platform_') || /^conversion_(?:failed|timeout)$/.test(thrown.key)));
