import { Failure } from '../../failures/failures.ts';
import type { ByteSource } from './contracts.ts';
import { invalid } from './mp4/boxes.ts';
import type { Movie } from './mp4/read-movie.ts';
import type { SampleTable } from './mp4/sample-table.ts';
import { contiguousRuns, type SoundPlan, type SoundRun, spanOf, splitRuns } from './sound-plan.ts';

/** Some whole frames as they lie in the file: `bytes` begins at file offset `start`. */
export interface SoundPiece {
  readonly start: number;
  readonly bytes: Buffer;
  readonly firstFrame: number;
  readonly endFrame: number;
}

/** Whether another request may do better because the file itself is not at fault. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Failure && ['media_unavailable', 'platform_timeout'].includes(error.key);
}

/**
 * Reads all frames from this one on in one stream and drops the bytes between them; reads from the beginning when the
 * server cannot start midway.
 */
export async function* readSoundStream(
  source: ByteSource,
  movie: Movie,
  { runs }: SoundPlan,
  firstFrame: number,
  signal: AbortSignal,
): AsyncGenerator<SoundPiece> {
  const endFrame = runs.at(-1)?.endFrame ?? 0;
  let frame = firstFrame;
  const read = async function* (open: (wanted: WantedFrames) => AsyncIterable<Uint8Array>) {
    const wanted = wantedFrames(movie.sound.samples, frame, endFrame);
    const cut = wanted.scattered === null ? cutFrames : cutScattered;
    for await (const piece of cut(open(wanted), wanted, movie.sound.samples, signal)) {
      yield piece;
      frame = piece.endFrame;
    }
  };
  try {
    yield* read(({ start, end }) => source.stream(start, end, signal));
    return;
  } catch (error) {
    signal.throwIfAborted();
    if (!isRefusal(error)) throw error;
  }
  yield* read(({ start }) => without(start, source.whole(signal)));
}

/** Frames that are still to be read. */
interface WantedFrames extends SoundRun {
  /** Their positions, if they are not stored in playing order. */
  readonly scattered: readonly SoundRun[] | null;
}

/** Pieces of a sound that is kept until it is complete. */
const maxScattered = 100_000;
/** An hour of sound. */
const maxEarlyBytes = 64 * 1024 * 1024;

/** @throws Failure `media_invalid` */
function wantedFrames(samples: SampleTable, firstFrame: number, endFrame: number): WantedFrames {
  const span = spanOf(samples, firstFrame, endFrame);
  const { offsets } = samples;
  let n = firstFrame + 1;
  while (n < endFrame && (offsets[n] ?? 0) >= (offsets[n - 1] ?? 0)) n++;
  if (n >= endFrame) return { ...span, scattered: null };
  const runs = contiguousRuns(samples, firstFrame, endFrame, maxScattered);
  if (runs === null) throw invalid(`frames in more than ${maxScattered} pieces`);
  return { ...span, scattered: splitRuns(runs, samples) };
}

/**
 * Cuts frames out that lie in another order than they are played: those that come early are kept.
 * @throws Failure `media_invalid` when these are too many, or the file ends early
 */
async function* cutScattered(
  chunks: AsyncIterable<Uint8Array>,
  { start, end, scattered }: WantedFrames,
  _samples: SampleTable,
  signal: AbortSignal,
): AsyncGenerator<SoundPiece> {
  const pieces = scattered ?? [];
  const inFile = pieces.toSorted((one, other) => one.start - other.start);
  const kept = new Map<SoundRun, Buffer>();
  let arriving: SoundRun[] = [];
  let [at, next, given, keptBytes] = [start, 0, 0, 0];
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    const [from, to] = [at, at + chunk.length];
    at = to;
    for (let piece = inFile[next]; piece !== undefined && piece.start < to; piece = inFile[++next]) {
      keptBytes += piece.end - piece.start;
      if (keptBytes > maxEarlyBytes) throw invalid(`${keptBytes} bytes of sound before their turn`);
      kept.set(piece, Buffer.allocUnsafe(piece.end - piece.start));
      arriving.push(piece);
    }
    for (const piece of arriving) {
      const bytes = chunk.subarray(Math.max(0, piece.start - from), Math.max(0, piece.end - from));
      kept.get(piece)?.set(bytes, Math.max(0, from - piece.start));
    }
    arriving = arriving.filter((piece) => piece.end > to);
    for (let piece = pieces[given]; piece !== undefined && piece.end <= to; piece = pieces[++given]) {
      const bytes = kept.get(piece) ?? Buffer.alloc(0);
      kept.delete(piece);
      keptBytes -= bytes.length;
      yield { start: piece.start, bytes, firstFrame: piece.firstFrame, endFrame: piece.endFrame };
    }
    if (given === pieces.length) return;
  }
  signal.throwIfAborted();
  throw invalid(`file ends at ${at}, its sound at ${end}`);
}

/** All but the first bytes. */
async function* without(count: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of chunks) {
    const wanted = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - wanted.length;
    if (wanted.length > 0) yield wanted;
  }
}

/** Cuts the frames out of bytes that begin at file offset `start`, where the first of them begins. */
async function* cutFrames(
  chunks: AsyncIterable<Uint8Array>,
  { start, end, firstFrame: startFrame, endFrame }: WantedFrames,
  { offsets, sizes }: SampleTable,
  signal: AbortSignal,
): AsyncGenerator<SoundPiece> {
  let frame = startFrame;
  let at = start;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    const bytes = held.length === 0 ? asBuffer(chunk) : Buffer.concat([held, chunk]);
    const bytesStart = at - held.length;
    at += chunk.length;
    const firstFrame = frame;
    while (frame < endFrame && (offsets[frame] ?? 0) + (sizes[frame] ?? 0) <= at) frame++;
    // At most a part of one frame is kept.
    held =
      frame < endFrame && (offsets[frame] ?? 0) < at
        ? Buffer.from(bytes.subarray((offsets[frame] ?? 0) - bytesStart))
        : Buffer.alloc(0);
    if (frame > firstFrame) yield { start: bytesStart, bytes, firstFrame, endFrame: frame };
    if (frame === endFrame) return;
  }
  signal.throwIfAborted();
  throw invalid(`file ends at ${at}, its sound at ${end}`);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
