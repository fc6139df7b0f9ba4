import { Failure } from '../../failures/failures.ts';
import type { ByteSource } from './contracts.ts';
import { invalid } from './mp4/boxes.ts';
import type { Movie } from './mp4/read-movie.ts';
import type { SoundPlan } from './sound-plan.ts';

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
  const end = { at: runs.at(-1)?.end ?? 0, frame: runs.at(-1)?.endFrame ?? 0 };
  let frame = firstFrame;
  const offset = () => movie.sound.samples.offsets[frame] ?? 0;
  try {
    const start = offset();
    for await (const piece of cutFrames(
      source.stream(start, end.at, signal),
      start,
      movie,
      frame,
      end,
      signal,
    )) {
      yield piece;
      frame = piece.endFrame;
    }
    return;
  } catch (error) {
    signal.throwIfAborted();
    if (!isRefusal(error)) throw error;
  }
  const start = offset();
  yield* cutFrames(without(start, source.whole(signal)), start, movie, frame, end, signal);
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
  start: number,
  movie: Movie,
  startFrame: number,
  end: { readonly at: number; readonly frame: number },
  signal: AbortSignal,
): AsyncGenerator<SoundPiece> {
  const { offsets, sizes } = movie.sound.samples;
  const { frame: endFrame } = end;
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
  throw invalid(`file ends at ${at}, its sound at ${end.at}`);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
