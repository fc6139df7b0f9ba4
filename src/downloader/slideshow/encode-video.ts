import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Failure } from '../../failures/failures.ts';
import { processEnd, spawnFfmpeg, terminate } from '../media/ffmpeg-process.ts';
import { EncodingLimits } from '../media/mp3/bounded-encode.ts';
import { type MediaTags, tagText } from '../media/tags/id3.ts';
import { quietly, type VideoTools } from './ffmpeg-tools.ts';
import { filterGraph } from './filter-graph.ts';
import type { SlideTiming } from './timing.ts';

export interface VideoParts {
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
  const x264 = [
    '-preset',
    'superfast',
    '-tune',
    'stillimage',
    '-crf',
    '25',
    '-x264-params',
    'rc-lookahead=10',
  ];
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
