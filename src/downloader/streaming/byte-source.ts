import { asFailure, Failure } from '../failures.ts';
import type { ByteSource } from '../media/contracts.ts';
import type { MediaResponse, PlatformNetwork } from '../network/contracts.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';
import type { MediaSource } from '../posts/post.ts';
import { ResumableSource, ResumeBudget } from './resumable-source.ts';

export interface RemoteByteSourceOptions {
  readonly network: Pick<PlatformNetwork, 'openMedia'>;
  readonly source: MediaSource;
  /** Reads the post again when the addresses have expired; asked at most once. */
  readonly refresh?: RefreshSource | undefined;
  /** Size that an earlier answer gave. Not the platform's announcement in the post, which may be wrong. */
  readonly knownSize?: number | null;
}

/** Bytes that are read and dropped at most, on a server that ignores ranges, to reach an offset. */
const maxSkippedBytes = 8 * 1024 * 1024;

/**
 * A remote file as bytes at an offset. Each call is a request of its own, so calls may run side by side; one that
 * breaks off is picked up where it stopped, from the same or the next address, and only from a file of the same size.
 */
export function createRemoteByteSource(options: RemoteByteSourceOptions): ByteSource {
  const source = new ResumableSource<MediaResponse>({
    open: (request) => options.network.openMedia(request),
    discard: (answer) => answer.body.destroy(),
    source: options.source,
    refresh: options.refresh,
    size: options.knownSize,
  });
  return {
    get size() {
      return source.size;
    },
    read: async (offset, length, signal) => {
      if (length === 0) return Buffer.alloc(0);
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream(source, offset, offset + length, signal)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    stream: (start, end, signal) => stream(source, start, end, signal),
    whole: (signal) => whole(source, signal),
  };
}

/** One request and one answer: what breaks off is not picked up, since that would need a range. */
async function* whole(
  source: ResumableSource<MediaResponse>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const answer = await source.openWhole(signal);
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    signal.throwIfAborted();
    throw asFailure(error, 'media_unavailable');
  } finally {
    answer.body.destroy();
  }
}

async function* stream(
  source: ResumableSource<MediaResponse>,
  start: number,
  end: number | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  let position = start;
  const wantedEnd = () => (source.size === null ? end : Math.min(end ?? source.size, source.size));
  const reached = () => {
    const last = wantedEnd();
    return last !== null && position >= last;
  };
  const budget = new ResumeBudget();
  let broken: unknown = null;
  while (!reached()) {
    let answer: MediaResponse;
    try {
      answer =
        broken === null
          ? await source.open(position, end, signal)
          : await source.resume(position, end, budget, broken, signal);
    } catch (error) {
      // Nothing is there at or after this offset.
      if (error instanceof Failure && error.key === 'range_unsatisfiable' && broken === null) return;
      throw error;
    }
    try {
      for await (const chunk of wantedPart(answer, position, wantedEnd())) {
        position += chunk.length;
        yield chunk;
      }
      if (source.size === null) return;
      broken = new Error('the answer ended early');
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof Failure) throw error;
      broken = error;
    } finally {
      answer.body.destroy();
    }
  }
}

/** The bytes of an answer from `position` to `end`, whatever the answer begins and ends with. */
async function* wantedPart(
  answer: MediaResponse,
  position: number,
  end: number | null,
): AsyncGenerator<Buffer, void, void> {
  let skip = position - answer.start;
  if (skip > maxSkippedBytes) {
    throw new Failure('media_unavailable', { note: 'the server ignores ranges, and the offset is far in' });
  }
  let left = end === null ? Number.POSITIVE_INFINITY : end - position;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    const wanted = chunk.subarray(Math.min(skip, chunk.length)).subarray(0, left);
    skip = Math.max(0, skip - chunk.length);
    left -= wanted.length;
    if (wanted.length > 0) yield wanted;
    // A body that ends here anyway is read to its end, so that its connection can serve again.
    if (left === 0 && answer.start + (answer.length ?? Number.POSITIVE_INFINITY) !== end) return;
  }
}
