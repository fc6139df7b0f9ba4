import { inOrder } from '../async/parallel.ts';
import { adtsHeaderBytes, adtsHeaderWriter } from './adts.ts';
import type { AacConfig, AdtsSound, ByteSource } from './contracts.ts';
import { invalid } from './mp4/boxes.ts';
import type { Movie } from './mp4/read-movie.ts';
import type { SampleTable } from './mp4/sample-table.ts';
import { type SoundPlan, type SoundRun, splitRuns } from './sound-plan.ts';
import { isRefusal, readSoundStream, type SoundPiece } from './sound-stream.ts';

/** How a sound was fetched, for metrics. */
export interface SoundRead {
  readonly requests: number;
  /** Bytes of the file that were not fetched. */
  readonly savedBytes: number;
  /** Why the rest came by one ordinary read of the file; null when it did not. */
  readonly fallback: 'refused' | 'slow' | null;
}

export interface ReadSoundOptions {
  /** Requests in flight; at most this many pieces are held, of 256 kB each or 8 MB in all. */
  readonly connections?: number;
  readonly signal: AbortSignal;
  /** Called when a whole sound was read. */
  readonly observe?: (read: SoundRead) => void;
}

/** A piece for which there are so many connections is slow when it takes longer than this, and its bytes at 8 kB/s. */
const slowMs = (bytes: number, connections: number) => 5000 + (bytes * connections) / 8;

/** A part of the file took so long that one ordinary read will be faster. */
class PartTooSlow extends Error {
  override readonly name = 'PartTooSlow';
}

/** A part was answered with the whole file: one read will bring the others as well. */
class RangeIgnored extends Error {
  override readonly name = 'RangeIgnored';
}

/**
 * The sound of a movie as ADTS frames in order, fetched as planned. Fetching begins with the first requested chunk, and
 * at most `connections` pieces are read ahead of the reader.
 * @throws Failure (from `frames`) `media_invalid` when the file ends early, `media_unavailable`, or the signal's reason
 */
export function readSound(
  source: ByteSource,
  movie: Movie,
  plan: SoundPlan,
  options: ReadSoundOptions,
): AdtsSound {
  const { config, samples } = movie.sound;
  const pack = adtsPacker(config, samples);
  return { ...plan.facts, frames: mapChunks(readSoundPieces(source, movie, plan, options), pack) };
}

/**
 * The frames of a plan in order, without headers. When the servers refuse a part or are slow with it, the rest comes
 * from a single read of the file, starting at the missing frame.
 * @throws as {@link readSound}
 */
export async function* readSoundPieces(
  source: ByteSource,
  movie: Movie,
  plan: SoundPlan,
  { connections = 8, signal, observe }: ReadSoundOptions,
): AsyncGenerator<SoundPiece> {
  const counted = countingSource(source);
  let frame = plan.runs[0]?.firstFrame ?? 0;
  let fallback: SoundRead['fallback'] = null;
  const rest = () => readSoundStream(counted, movie, plan, frame, signal);
  try {
    const pieces =
      plan.mode === 'whole'
        ? rest()
        : inOrder(splitRuns(plan.runs, movie.sound.samples), connections, signal, (piece, pieceSignal) =>
            fetchPiece(counted, movie, piece, slowMs(piece.end - piece.start, connections), pieceSignal),
          );
    for await (const piece of pieces) {
      yield piece;
      frame = piece.endFrame;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (plan.mode === 'whole' || !isOfParts(error)) throw error;
    fallback = error instanceof PartTooSlow ? 'slow' : 'refused';
  }
  if (fallback !== null) yield* rest();
  const { requests, bytes } = counted;
  observe?.({ requests, savedBytes: Math.max(0, (movie.size ?? bytes) - bytes), fallback });
}

const isOfParts = (error: unknown) =>
  error instanceof PartTooSlow || error instanceof RangeIgnored || isRefusal(error);

/** A source that counts its requests and bytes. */
function countingSource(
  source: ByteSource,
): ByteSource & { readonly requests: number; readonly bytes: number } {
  let requests = 0;
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    requests += 1;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return {
    get size() {
      return source.size;
    },
    get hasRanges() {
      return source.hasRanges;
    },
    get requests() {
      return requests;
    },
    get bytes() {
      return bytes;
    },
    async read(offset, length, signal) {
      requests += 1;
      const read = await source.read(offset, length, signal);
      bytes += read.length;
      return read;
    },
    stream: (start, end, signal) => counted(source.stream(start, end, signal)),
    whole: (signal) => counted(source.whole(signal)),
  };
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

async function fetchPiece(
  source: ByteSource,
  movie: Movie,
  piece: SoundRun,
  limitMs: number,
  signal: AbortSignal,
): Promise<SoundPiece> {
  const { start, end, firstFrame, endFrame } = piece;
  const bytes =
    end <= movie.head.length
      ? movie.head.subarray(start, end)
      : await within(limitMs, signal, (limited) => source.read(start, end - start, limited));
  if (bytes.length < end - start)
    throw invalid(`file ends ${end - start - bytes.length} bytes before its sound does`);
  if (!source.hasRanges) throw new RangeIgnored();
  return { start, bytes, firstFrame, endFrame };
}

/** @throws PartTooSlow */
async function within<T>(
  limitMs: number,
  signal: AbortSignal,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new PartTooSlow(`not there after ${limitMs} ms`)), limitMs);
  try {
    return await task(AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
