import { adtsHeaderBytes, adtsHeaderWriter } from './adts.ts';
import type { AacConfig, AdtsSound, ByteSource } from './contracts.ts';
import { invalid } from './mp4/boxes.ts';
import type { Movie } from './mp4/read-movie.ts';
import type { SampleTable } from './mp4/sample-table.ts';
import type { SoundPlan, SoundRun } from './sound-plan.ts';

/** A large run is fetched in pieces of about this size, so that what is read ahead stays small. */
const maxPieceBytes = 256 * 1024;

export interface ReadSoundOptions {
  /** Requests under way at once; at most this many pieces of 256 kB are held. */
  readonly connections?: number;
  readonly signal: AbortSignal;
}

/**
 * The sound of a movie as ADTS frames in order, fetched as the plan says. Nothing is fetched before the first chunk is
 * asked for, and no more than `connections` pieces are read ahead of the reader.
 * @throws Failure (from `frames`) `media_invalid` when the file ends early, `media_unavailable`, or the signal's reason
 */
export function readSound(
  source: ByteSource,
  movie: Movie,
  plan: SoundPlan,
  options: ReadSoundOptions,
): AdtsSound {
  const pack = adtsPacker(movie.sound.config, movie.sound.samples);
  return { ...plan.facts, frames: mapChunks(readSoundPieces(source, movie, plan, options), pack) };
}

/** Some whole frames as they lie in the file: `bytes` begins at file offset `start`. */
interface SoundPiece {
  readonly start: number;
  readonly bytes: Buffer;
  readonly firstFrame: number;
  readonly endFrame: number;
}

/** The frames of a plan in order, without headers. @throws as {@link readSound} */
export function readSoundPieces(
  source: ByteSource,
  movie: Movie,
  plan: SoundPlan,
  { connections = 8, signal }: ReadSoundOptions,
): AsyncGenerator<SoundPiece> {
  if (plan.mode === 'whole') return streamPieces(source, movie, plan, signal);
  const pieces = split(plan.runs, movie.sound.samples);
  return inOrder(pieces, connections, signal, (piece, pieceSignal) =>
    fetchPiece(source, movie, piece, pieceSignal),
  );
}

async function* mapChunks(
  pieces: AsyncIterable<SoundPiece>,
  pack: (piece: SoundPiece) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield pack(piece);
}

/** Cuts the frames out of a piece and puts a header before each. */
function adtsPacker(config: AacConfig, { offsets, sizes }: SampleTable): (piece: SoundPiece) => Uint8Array {
  const writeHeader = adtsHeaderWriter(config);
  return ({ bytes, start, firstFrame, endFrame }) => {
    let length = (endFrame - firstFrame) * adtsHeaderBytes;
    for (let n = firstFrame; n < endFrame; n++) length += sizes[n] ?? 0;
    const packed = Buffer.allocUnsafe(length);
    let at = 0;
    for (let n = firstFrame; n < endFrame; n++) {
      const size = sizes[n] ?? 0;
      const from = (offsets[n] ?? 0) - start;
      writeHeader(packed, at, size);
      bytes.copy(packed, at + adtsHeaderBytes, from, from + size);
      at += adtsHeaderBytes + size;
    }
    return packed;
  };
}

function split(runs: readonly SoundRun[], { offsets, sizes }: SampleTable): SoundRun[] {
  const pieces: SoundRun[] = [];
  for (const run of runs) {
    let firstFrame = run.firstFrame;
    let start = run.start;
    for (let n = run.firstFrame; n < run.endFrame; n++) {
      const end = (offsets[n] ?? 0) + (sizes[n] ?? 0);
      const next =
        n + 1 < run.endFrame ? (offsets[n + 1] ?? 0) + (sizes[n + 1] ?? 0) : Number.POSITIVE_INFINITY;
      if (next - start <= maxPieceBytes) continue;
      pieces.push({ start, end, firstFrame, endFrame: n + 1 });
      firstFrame = n + 1;
      start = offsets[n + 1] ?? end;
    }
  }
  return pieces;
}

async function fetchPiece(
  source: ByteSource,
  movie: Movie,
  piece: SoundRun,
  signal: AbortSignal,
): Promise<SoundPiece> {
  const { start, end, firstFrame, endFrame } = piece;
  const bytes =
    end <= movie.head.length
      ? movie.head.subarray(start, end)
      : await source.read(start, end - start, signal);
  if (bytes.length < end - start)
    throw invalid(`file ends ${end - start - bytes.length} bytes before its sound does`);
  return { start, bytes, firstFrame, endFrame };
}

/** Runs `fetch` on several items at once and gives the results in order; stops and waits for all when it is left. */
async function* inOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  fetch: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const running: Promise<Result>[] = [];
  let next = 0;
  const startMore = () => {
    for (let item = items[next]; item !== undefined && running.length < limit; item = items[++next]) {
      const result = fetch(item, both);
      // Its error is thrown when its turn comes; until then it must not count as unhandled.
      result.catch(() => undefined);
      running.push(result);
    }
  };
  try {
    signal.throwIfAborted();
    startMore();
    for (let result = running.shift(); result !== undefined; result = running.shift()) {
      const value = await result;
      signal.throwIfAborted();
      startMore();
      yield value;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
}

/** Reads from the first frame to the last in one stream and drops what lies between. */
async function* streamPieces(
  source: ByteSource,
  movie: Movie,
  { runs }: SoundPlan,
  signal: AbortSignal,
): AsyncGenerator<SoundPiece> {
  const { offsets, sizes } = movie.sound.samples;
  const start = runs[0]?.start ?? 0;
  const lastEnd = runs.at(-1)?.end ?? 0;
  const endFrame = runs.at(-1)?.endFrame ?? 0;
  let frame = runs[0]?.firstFrame ?? 0;
  let at = start;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source.stream(start, lastEnd, signal)) {
    signal.throwIfAborted();
    const bytes = held.length === 0 ? asBuffer(chunk) : Buffer.concat([held, chunk]);
    const bytesStart = at - held.length;
    at += chunk.length;
    const firstFrame = frame;
    while (frame < endFrame && (offsets[frame] ?? 0) + (sizes[frame] ?? 0) <= at) frame++;
    // What is kept is at most a part of one frame.
    held =
      frame < endFrame && (offsets[frame] ?? 0) < at
        ? Buffer.from(bytes.subarray((offsets[frame] ?? 0) - bytesStart))
        : Buffer.alloc(0);
    if (frame > firstFrame) yield { start: bytesStart, bytes, firstFrame, endFrame: frame };
    if (frame === endFrame) return;
  }
  signal.throwIfAborted();
  throw invalid(`file ends at ${at}, its sound at ${lastEnd}`);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
