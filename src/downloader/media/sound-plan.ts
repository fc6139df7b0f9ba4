import { adtsHeaderBytes } from './adts.ts';
import type { SoundFacts } from './contracts.ts';
import type { Movie } from './mp4/read-movie.ts';
import { samplesPerFrame } from './mp4/sound-track.ts';

/** A run of sound frames fetched in one request, including the bytes between them. */
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

/**
 * Decides how to fetch the sound: which bytes, in how many requests, or the whole file when the sound is in too many
 * pieces or latency would make many requests slower than all the bytes. Gaps are merged from the smallest on while
 * their sum stays below a quarter of the sound and 64 kB, so that with the tables at most 1.3 times the sound plus 200
 * kB are fetched.
 */
export function planSound(movie: Movie, link: Partial<Link> = {}): SoundPlan {
  const facts = soundFacts(movie);
  const { first, end } = heardFrames(movie);
  const pieces = contiguous(movie, first, end);
  const { latencyMs, bytesPerSecond, connections, maxRequests } = { ...defaultLink, ...link };
  const runs = mergeGaps(pieces, Math.floor(facts.bytes / 4) + 64 * 1024, maxRequests);
  const outer = { start: runs[0]?.start ?? 0, end: runs.at(-1)?.end ?? 0 };
  const bytes = runs.reduce((sum, run) => sum + (run.end - run.start), 0);

  const rounds = Math.ceil(runs.length / connections);
  const rangesS = (rounds * latencyMs + (bytes / bytesPerSecond) * 1000) / 1000;
  const wholeS = (latencyMs + ((outer.end - outer.start) / bytesPerSecond) * 1000) / 1000;
  const mode = runs.length > maxRequests || (runs.length > 1 && rangesS > wholeS) ? 'whole' : 'ranges';
  return { mode, runs, bytesToFetch: mode === 'whole' ? outer.end - outer.start : bytes, facts };
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

/** The frames that are heard, with one before them: a decoder needs it to reach the first one's full quality. */
function heardFrames(movie: Movie): { first: number; end: number } {
  const { heard, samples } = movie.sound;
  const first = Math.max(0, Math.floor(heard.start / samplesPerFrame) - 1);
  return { first, end: Math.min(samples.count, Math.max(first + 1, Math.ceil(heard.end / samplesPerFrame))) };
}

function contiguous(movie: Movie, first: number, end: number): SoundRun[] {
  const { offsets, sizes } = movie.sound.samples;
  const runs: SoundRun[] = [];
  let firstFrame = first;
  for (let n = first; n < end; n++) {
    const sampleEnd = (offsets[n] ?? 0) + (sizes[n] ?? 0);
    if (n + 1 < end && offsets[n + 1] === sampleEnd) continue;
    runs.push({ start: offsets[firstFrame] ?? 0, end: sampleEnd, firstFrame, endFrame: n + 1 });
    firstFrame = n + 1;
  }
  return runs;
}

/** Joins runs over the smallest gaps: those that cost less than a request, and more while there are too many runs. */
function mergeGaps(runs: readonly SoundRun[], allowance: number, maxRuns: number): SoundRun[] {
  const gaps = runs.slice(1).map((run, n) => ({ before: n + 1, bytes: run.start - (runs[n]?.end ?? 0) }));
  gaps.sort((a, b) => a.bytes - b.bytes);
  const joined = new Set<number>();
  let spent = 0;
  for (const gap of gaps) {
    if (gap.bytes > requestBytes && runs.length - joined.size <= maxRuns) break;
    if (spent + gap.bytes > allowance) break;
    spent += gap.bytes;
    joined.add(gap.before);
  }
  const merged: SoundRun[] = [];
  runs.forEach((run, n) => {
    const last = merged.at(-1);
    if (last !== undefined && joined.has(n))
      merged[merged.length - 1] = { ...last, end: run.end, endFrame: run.endFrame };
    else merged.push(run);
  });
  return merged;
}
