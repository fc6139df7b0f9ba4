import { asFailure, Failure } from '../../failures/failures.ts';
import type { ByteSource } from '../media/contracts.ts';
import { type ByteReader, chunksOf, type MediaFlow, type PlatformNetwork } from '../network/contracts.ts';
import { releaseChunk } from '../network/memory.ts';
import type { MediaSource } from '../post/post.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';
import { ResumableSource } from './resumable-source.ts';
import { ResumingFlow } from './resuming-flow.ts';

export interface RemoteByteSourceOptions {
  readonly network: Pick<PlatformNetwork, 'openMedia'>;
  readonly source: MediaSource;
  /** Reads the post again when the addresses have expired; called at most once. */
  readonly refresh?: RefreshSource | undefined;
  /** Size that an earlier answer gave. Not the platform's announcement in the post, which may be wrong. */
  readonly knownSize?: number | null;
}

/** Bytes that are read and dropped at most, on a server that ignores ranges, to reach an offset. */
const maxSkippedBytes = 8 * 1024 * 1024;

/**
 * A remote file with random access. Each call is a separate request, so calls may run concurrently; an interrupted one
 * resumes where it stopped, from the same or the next address, and only from a file of the same size.
 */
export function createRemoteByteSource({
  network,
  source: first,
  refresh,
  knownSize,
}: RemoteByteSourceOptions): ByteSource {
  return byteSourceOf(
    new ResumableSource({ network, source: first, refresh, size: knownSize, isUnbounded: true }),
  );
}

/** The bytes of a file that others may read beside it. */
export function byteSourceOf(source: ResumableSource): ByteSource {
  return {
    get size() {
      return source.size;
    },
    get hasRanges() {
      return source.hasRanges;
    },
    read: async (offset, length, signal) => {
      const flow = length === 0 ? null : await openPart(source, offset, offset + length, signal);
      return flow === null ? Buffer.alloc(0) : readAll(flow, signal);
    },
    stream: (start, end, signal) => stream(source, start, end, signal),
    whole: (signal) => whole(source, signal),
  };
}

/** One request and one response: an interrupted one is not resumed, since that would need a range. */
async function* whole(source: ResumableSource, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  yield* pull(await source.openWhole(signal), signal);
}

async function* stream(
  source: ResumableSource,
  start: number,
  wantedEnd: number | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const flow = await openPart(source, start, wantedEnd, signal);
  if (flow !== null) yield* pull(flow, signal);
}

/** @returns null when the file has no bytes at or after this offset */
async function openPart(
  source: ResumableSource,
  start: number,
  wantedEnd: number | null,
  signal: AbortSignal,
): Promise<ResumingFlow | null> {
  const endOfPart = () =>
    source.size === null ? wantedEnd : Math.min(wantedEnd ?? source.size, source.size);
  const isEmpty = (end: number | null) => end !== null && start >= end;
  if (isEmpty(endOfPart())) return null;
  let flow: MediaFlow;
  try {
    flow = await source.open(start, wantedEnd, signal);
  } catch (error) {
    if (error instanceof Failure && error.key === 'range_unsatisfiable') return null;
    throw error;
  }
  const end = endOfPart();
  if (!isEmpty(end)) return new ResumingFlow({ source, flow, start, end, maxSkippedBytes, signal });
  flow.stop();
  return null;
}

/** All of a flow at once; an iterable would cost more than the bytes. */
async function readAll(flow: ByteReader, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) chunks.push(chunk);
  } catch (error) {
    signal.throwIfAborted();
    throw asFailure(error, 'media_unavailable');
  }
  const all = Buffer.concat(chunks);
  chunks.forEach(releaseChunk);
  return all;
}

/** A flow at the reader's pace; a reader that stops closes its connection. */
async function* pull(flow: ByteReader, signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
  try {
    yield* chunksOf(flow);
  } catch (error) {
    signal.throwIfAborted();
    throw asFailure(error, 'media_unavailable');
  }
}
