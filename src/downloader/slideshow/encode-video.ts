import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Failure } from '../../failures/failures.ts';
import { type FfmpegPrograms, processEnd, spawnFfmpeg, terminate } from '../media/ffmpeg-process.ts';
import { EncodingLimits } from '../media/mp3/bounded-encode.ts';
import { type MediaTags, tagText } from '../media/tags.ts';
import { fadingRate, restingStep, type SlideTiming, timeSlides } from './plan.ts';
import type { Scratch } from './scratch.ts';

/** An ffmpeg that makes videos. */
export interface VideoTools extends FfmpegPrograms {
  /** The option for variable frame rate in this version: newer versions have dropped the older name. */
  readonly rateOption: 'fps_mode' | 'vsync';
}

/** Options of every run. */
export const quietly = ['-hide_banner', '-nostdin', '-loglevel', 'error'] as const;

/** ffmpeg's own words for a number, without an exponent. */
const number = (value: number) => value.toFixed(4);

/**
 * The filter graph of a slideshow, whose input is each picture once and the last one twice. Every picture becomes two
 * moments, the first and the last at which it is fully visible, and `framerate` blends between them. It holds two
 * pictures at a time, however many there are.
 * @param count number of different pictures
 */
export function filterGraph(count: number, { durationS, eachS, fadeS }: SlideTiming): string {
  const [all, each, half] = [durationS, eachS, fadeS / 2].map(number);
  const last = 2 * count - 1;
  const begins = `if(N,floor(N/2)*${each}+${half},0)`;
  const ends = `(N+1)/2*${each}-${half}`;
  // An invisible picture follows the last moment, so that the filters see the end of the one before.
  const moments = `if(gte(N,${last}),${all}+N-${last},if(mod(N,2),${ends},${begins}))`;
  const margin = number(fadeS / 2 + 1 / fadingRate);
  const sinceCut = `abs(mod(t+${each}/2,${each})-${each}/2)`;
  const isLast = `gt(t,${number(durationS - 1.5 / fadingRate)})`;
  return [
    'scale=in_color_matrix=bt601:out_color_matrix=bt709:in_range=pc:out_range=tv',
    'format=yuv420p',
    'fps=2',
    'settb=1/90000',
    `setpts='(${moments})/TB'`,
    `framerate=fps=${fadingRate}:interp_start=0:interp_end=255:flags=0`,
    `trim=end=${all}`,
    `select='lt(${sinceCut},${margin})+not(mod(n,${restingStep}))+${isLast}'`,
  ].join(',');
}

interface VideoParts {
  /** A file of JPEGs, the last one twice. */
  readonly slides: string;
  /** Number of pictures, without the last one's duplicate. */
  readonly count: number;
  /** A file of ADTS frames; null without a sound. */
  readonly sound: string | null;
  readonly timing: SlideTiming;
  readonly tags: MediaTags | null;
  /** Path of the mp4. */
  readonly output: string;
}

/** The platform has no longer video, and visitors wait no longer for one. */
const limitMs = 240_000;
/** x264's fast modes hold some 30 frames of 3 MB, and the filters a few. */
const memoryBytes = 640 * 2 ** 20;
/** A slideshow of 35 detailed pictures takes 20 MB. */
const maxVideoBytes = 64 * 2 ** 20;
const encoderThreads = 2;

/**
 * Makes an mp4 (H.264 4:2:0, AAC, index first) of pictures and a sound.
 * @param progress called with the finished fraction, from 0 to 1
 * @throws Failure `conversion_failed`, `conversion_timeout`, `storage_full`, or the signal's reason
 */
export async function encodeVideo(
  tools: VideoTools,
  parts: VideoParts,
  progress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const inputs: FileHandle[] = [];
  const limits = new EncodingLimits(signal, limitMs);
  try {
    inputs.push(await open(parts.slides));
    if (parts.sound !== null) inputs.push(await open(parts.sound));
    await run(tools, parts, inputs, progress, limits);
  } finally {
    limits.release();
    await Promise.all(inputs.map((input) => input.close()));
  }
}

async function run(
  tools: VideoTools,
  parts: VideoParts,
  [slides, ...sounds]: readonly FileHandle[],
  progress: (fraction: number) => void,
  limits: EncodingLimits,
): Promise<void> {
  limits.signal.throwIfAborted();
  const bounds = { cpuMs: limitMs * encoderThreads, memoryBytes, fileBytes: maxVideoBytes };
  const files = [slides?.fd ?? 'pipe', 'pipe', 'pipe', ...sounds.map(({ fd }) => fd)] as const;
  const child = spawnFfmpeg(tools, videoArguments(tools, parts), bounds, files);
  const ended = processEnd(child);
  const kill = () => terminate(child);
  limits.signal.addEventListener('abort', kill, { once: true });
  createInterface(child.stdout).on('line', (line) => {
    const [, microseconds] = /^out_time_us=(\d+)$/.exec(line) ?? [];
    if (microseconds !== undefined)
      progress(Math.min(1, Number(microseconds) / 1e6 / parts.timing.durationS));
  });
  try {
    await ended.closed;
    limits.signal.throwIfAborted();
    const problem = ended.problem();
    if (problem !== null)
      throw new Failure(/No space left/.test(problem) ? 'storage_full' : 'conversion_failed', {
        note: problem,
      });
  } finally {
    limits.signal.removeEventListener('abort', kill);
    terminate(child);
  }
}

/** ffmpeg's arguments for a video. */
function videoArguments(
  { rateOption }: Pick<VideoTools, 'rateOption'>,
  { count, sound, timing, tags, output }: VideoParts,
): string[] {
  const x264 = '-preset superfast -tune stillimage -crf 25 -x264-params rc-lookahead=10'.split(' ');
  const colours = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];
  return [
    ...quietly,
    // Open files: it gets no address and can open only its output.
    ...['-threads', '1', '-protocol_whitelist', 'pipe', '-f', 'jpeg_pipe', '-framerate', '1', '-i', 'pipe:0'],
    ...(sound === null ? [] : ['-protocol_whitelist', 'pipe', '-f', 'aac', '-i', 'pipe:3']),
    ...['-filter_threads', '1', '-map', '0:v:0', '-vf', filterGraph(count, timing)],
    ...['-c:v', 'libx264', ...x264, '-threads', `${encoderThreads}`, `-${rateOption}`, 'vfr', ...colours],
    ...(sound === null ? [] : ['-map', '1:a:0', '-c:a', 'copy']),
    ...['-t', timing.durationS.toFixed(4), '-map_metadata', '-1', '-bitexact', '-movflags', '+faststart'],
    ...(tags === null ? [] : metadataOf(tags)),
    ...['-progress', 'pipe:1', '-stats_period', '0.2', '-f', 'mp4', `file:${output}`],
  ];
}

/** Each value is one argument as it is: a text cannot become another option. */
const metadataOf = ({ title, artist, sourceUrl }: MediaTags) =>
  Object.entries({ title: tagText(title), artist: tagText(artist), comment: sourceUrl }).flatMap(
    ([name, value]) => ['-metadata', `${name}=${value}`],
  );

/** A grey JPEG of 16 x 16 pixels. */
const grey = Buffer.from(
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJAA/9k=',
  'base64',
);

/**
 * Tests an ffmpeg by making a video of two small pictures: builds omit features, and no listing covers all that are
 * needed.
 * @returns null when it fails
 * @throws the signal's reason, or an error of the disk
 */
export async function findVideoTools(
  programs: FfmpegPrograms,
  scratch: Scratch,
  signal: AbortSignal,
): Promise<VideoTools | null> {
  const folder = await scratch.open();
  try {
    const slides = join(folder.path, 'slides');
    await writeFile(slides, Buffer.concat([grey, grey, grey]));
    for (const rateOption of ['fps_mode', 'vsync'] as const) {
      const tools = { ...programs, rateOption };
      const output = join(folder.path, `${rateOption}.mp4`);
      const parts = { slides, count: 2, sound: null, timing: timeSlides(2, null), tags: null, output };
      try {
        await encodeVideo(tools, parts, () => {}, signal);
        return tools;
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof Failure) || thrown.key !== 'conversion_failed') throw thrown;
      }
    }
    return null;
  } finally {
    await folder.delete();
  }
}
