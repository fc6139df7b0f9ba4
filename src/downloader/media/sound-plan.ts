import { adtsHeaderBytes } from './adts.ts';
import type { SoundFacts } from './contracts.ts';
import type { Movie } from './mp4/read-movie.ts';
import type { SampleTable } from './mp4/sample-table.ts';
import { samplesPerFrame } from './mp4/sound-track.ts';

/** A run of sound frames fetched in one request, in whatever order they lie, including the bytes between them. */
export interface SoundRun {
  /** Bytes in the file; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Index of its first frame in the sample table, and one past the last. */
  readonly firstFrame: number;
  readonly endFrame: number;
}

/** How to fetch a movie's sound. */
export interface SoundPlan {
  /** `ranges`: only the runs, over several connections. `whole`: one stream from the first to the last run. */
  readonly mode: 'ranges' | 'whole';
  /** Ordered by their frames. */
  readonly runs: readonly SoundRun[];
  /** Bytes that will be fetched. */
  readonly bytesToFetch: number;
  readonly facts: SoundFacts;
}

/** Measurements of the connection to the media servers; guesses where none were made. */
export interface Link {
  readonly latencyMs: number;
  readonly bytesPerSecond: number;
  readonly connections: number;
  /** Requests for one sound that its servers put up with. */
  readonly maxRequests: number;
}

const defaultLink: Link = {
  latencyMs: 20,
  bytesPerSecond: 12_500_000,
  connections: 8,
  maxRequests: 150,
};
/** A request costs about as much as these bytes (headers, TLS records, the round trip on a busy connection). */
const requestBytes = 4 * 1024;
/** A sound in more pieces is not worth sorting: hardly anything of its file could be left out. */
const maxPieces = 20_000;
/** Large runs are fetched in pieces of about this size, so that little is read ahead. */
const pieceBytes = 256 * 1024;
/** A sound of at most this many bytes may have larger pieces: at most all of them are held. */
const maxHeldBytes = 8 * 2 ** 20;
/** Requests that no server minds for one file, without the two that read its tables at most. */
const fewRequests = 10;
/** A sound in so many runs is fetched in so many requests, tables included, whatever lies between its runs. */
const fewRuns = fewRequests + 2;

/**
 * Decides how to fetch the sound: which bytes, in how many requests, or all in one when the sound is in too many pieces,
 * latency would make many requests slower than all the bytes, or the server ignores ranges. Gaps are merged from the
 * smallest on:
 *
 * - those that cost less than a request, and those above `maxRequests`, while their sum stays below a quarter of the sound
 *   and 64 kB: with the tables at most 1.3 times the sound plus 200 kB are fetched;
 * - until ten requests remain, if all of them together cost no more than the sound itself, or if it lies in twelve runs
 *   or fewer. A clip of a minute with 6 MB of picture in 115 runs keeps its 115 requests: ten would fetch most of the
 *   picture.
 */
export function planSound(movie: Movie, link: Partial<Link> = {}): SoundPlan {
  const facts = soundFacts(movie);
  const { first, end } = heardFrames(movie);
  const { latencyMs, bytesPerSecond, connections, maxRequests } = { ...defaultLink, ...link };
  const all = spanOf(movie.sound.samples, first, end);
  const bytesOfAll = all.end - all.start;
  const whole: SoundPlan = { mode: 'whole', runs: [all], bytesToFetch: bytesOfAll, facts };
  const pieces = contiguousRuns(movie.sound.samples, first, end, maxPieces);
  if (pieces === null || !movie.hasRanges) return whole;
  const runs = mergeGaps(pieces, facts.bytes, maxRequests);
  const bytes = runs.reduce((sum, run) => sum + (run.end - run.start), 0);

  const rounds = Math.ceil(runs.length / connections);
  const rangesS = (rounds * latencyMs + (bytes / bytesPerSecond) * 1000) / 1000;
  const wholeS = (latencyMs + (bytesOfAll / bytesPerSecond) * 1000) / 1000;
  if (runs.length > maxRequests || (runs.length > 1 && rangesS > wholeS)) return whole;
  return { mode: 'ranges', runs, bytesToFetch: bytes, facts };
}

/** The facts about a movie's sound that are known before it is read. */
function soundFacts(movie: Movie): SoundFacts {
  const { config, samples, heard } = movie.sound;
  const { first, end } = heardFrames(movie);
  const frameCount = end - first;
  let bytes = frameCount * adtsHeaderBytes;
  for (let n = first; n < end; n++) bytes += samples.sizes[n] ?? 0;
  const outputPerCore = config.outputSampleRate / config.sampleRate;
  return {
    config,
    frameCount,
    skipSamples: Math.round((heard.start - first * samplesPerFrame) * outputPerCore),
    durationS: (Math.min(heard.end, end * samplesPerFrame) - heard.start) / config.sampleRate,
    bytes,
  };
}

/**
 * The frames that are heard, with one before them: a decoder needs it to reach the first one's full quality. There are two
 * at least, also where only the silence before them is heard: some decoders give nothing for the first.
 */
function heardFrames(movie: Movie): { first: number; end: number } {
  const { samples, heard } = movie.sound;
  const first = Math.max(0, Math.floor(heard.start / samplesPerFrame) - 1);
  const end = Math.min(samples.count, Math.max(first + 2, Math.ceil(heard.end / samplesPerFrame)));
  return { first, end };
}

/** The bytes from some frames' first to their last. */
export function spanOf({ offsets, sizes }: SampleTable, firstFrame: number, endFrame: number): SoundRun {
  let [start, end] = [Number.POSITIVE_INFINITY, 0];
  for (let n = firstFrame; n < endFrame; n++) {
    const at = offsets[n] ?? 0;
    start = Math.min(start, at);
    end = Math.max(end, at + (sizes[n] ?? 0));
  }
  return { start, end, firstFrame, endFrame };
}

/** Runs of frames that follow one another in the file, in the order of the frames; null for more than `most`. */
export function contiguousRuns(
  { offsets, sizes }: SampleTable,
  first: number,
  end: number,
  most: number,
): SoundRun[] | null {
  const runs: SoundRun[] = [];
  let firstFrame = first;
  for (let n = first; n < end; n++) {
    const sampleEnd = (offsets[n] ?? 0) + (sizes[n] ?? 0);
    if (n + 1 < end && offsets[n + 1] === sampleEnd) continue;
    if (runs.length === most) return null;
    runs.push({ start: offsets[firstFrame] ?? 0, end: sampleEnd, firstFrame, endFrame: n + 1 });
    firstFrame = n + 1;
  }
  return runs;
}

/** Divides large runs into pieces, each from the first byte of its frames to the last; a small sound into few. */
export function splitRuns(runs: readonly SoundRun[], samples: SampleTable): SoundRun[] {
  const bytes = runs.reduce((sum, { start, end }) => sum + (end - start), 0);
  const usual = piecesOf(runs, samples, pieceBytes);
  if (bytes > maxHeldBytes || runs.length > fewRequests) return usual;
  let pieces = usual;
  for (let most = 2 * pieceBytes; pieces.length > fewRequests; most *= 2)
    pieces = piecesOf(runs, samples, most);
  return pieces;
}

function piecesOf(
  runs: readonly SoundRun[],
  { offsets, sizes }: SampleTable,
  maxPieceBytes: number,
): SoundRun[] {
  const pieces: SoundRun[] = [];
  for (const run of runs) {
    let [start, end, firstFrame] = [Number.POSITIVE_INFINITY, 0, run.firstFrame];
    for (let n = run.firstFrame; n < run.endFrame; n++) {
      const at = offsets[n] ?? 0;
      const next = at + (sizes[n] ?? 0);
      if (n > firstFrame && Math.max(end, next) - Math.min(start, at) > maxPieceBytes) {
        pieces.push({ start, end, firstFrame, endFrame: n });
        [start, end, firstFrame] = [at, next, n];
      }
      start = Math.min(start, at);
      end = Math.max(end, next);
    }
    pieces.push({ start, end, firstFrame, endFrame: run.endFrame });
  }
  return pieces;
}

/** Joins runs over the smallest gaps, as {@link planSound} says. */
function mergeGaps(runs: readonly SoundRun[], soundBytes: number, maxRuns: number): SoundRun[] {
  // The next run may lie before this one.
  const gaps = runs.slice(1).map(({ start, end }, n) => {
    const before = runs[n] ?? { start, end };
    return { before: n + 1, bytes: Math.max(start - before.end, before.start - end, 0) };
  });
  gaps.sort((a, b) => a.bytes - b.bytes);
  const allowance = Math.floor(soundBytes / 4) + 64 * 1024;
  let [count, spent] = [0, 0];
  for (const { bytes } of gaps) {
    if (bytes > requestBytes && runs.length - count <= maxRuns) break;
    if (spent + bytes > allowance) break;
    spent += bytes;
    count += 1;
  }
  const toFew = Math.max(0, runs.length - fewRequests);
  const costOfFew = gaps.slice(0, toFew).reduce((sum, { bytes }) => sum + bytes, 0);
  if (costOfFew <= soundBytes || runs.length <= fewRuns) count = Math.max(count, toFew);

  const joined = new Set(gaps.slice(0, count).map(({ before }) => before));
  const merged: SoundRun[] = [];
  runs.forEach((run, n) => {
    const last = merged.at(-1);
    if (last !== undefined && joined.has(n)) {
      const [start, end] = [Math.min(last.start, run.start), Math.max(last.end, run.end)];
      merged[merged.length - 1] = { ...last, start, end, endFrame: run.endFrame };
    } else merged.push(run);
  });
  return merged;
}
