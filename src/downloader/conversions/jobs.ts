import { z } from 'zod';
import { asFailure, Failure, isFailureKey } from '../../failures/failures.ts';
import {
  type ConversionJobs,
  JobFailed,
  JobsUnavailable,
  type JobWorkerOptions,
} from '../../stores/contracts/conversion-jobs.ts';
import { readWork, type SoundWork, writeWork } from '../tickets/work.ts';
import type { Conversions, ConvertedFile } from './contracts.ts';
import { fileKey, type SoundMaker, type SoundRequest } from './source.ts';

interface JobMakerOptions {
  readonly jobs: Pick<ConversionJobs, 'order'>;
  /** This instance's own, which make what nobody else does. */
  readonly own: Conversions;
}

const writtenWork = z.object({ work: z.string(), way: z.string().optional() });

const writeJob = (work: SoundWork): string =>
  JSON.stringify({ work: writeWork(work), ...(work.post.way !== undefined && { way: work.post.way }) });

/** The opposite of {@link writeJob}. @throws JobFailed for what it never writes */
function readJob(text: string): SoundWork {
  const { work: written, way } = writtenWork.parse(JSON.parse(text));
  const work = readWork(written);
  if (work?.kind !== 'sound') throw new JobFailed('internal');
  return way === undefined ? work : { ...work, post: { ...work.post, way } };
}

/** What went wrong elsewhere, as if it had here. */
function asOwnFailure(error: unknown): unknown {
  if (!(error instanceof JobFailed)) return error;
  const key = isFailureKey(error.key) ? error.key : 'internal';
  const { retryAfterS } = error;
  return new Failure(key, { note: 'made elsewhere', ...(retryAfterS !== undefined && { retryAfterS }) });
}

/** The bytes from a position on; lets go of the file at the end. */
async function* bytesOf(file: ConvertedFile, start: number): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* file.read(start, file.length);
  } finally {
    file.release();
  }
}

/** Has sounds made as jobs, by whichever instance is free; here, in turn, when nobody else does or can be asked. */
export function createJobMaker({ jobs, own }: JobMakerOptions): SoundMaker {
  /** Made here, with what is to be known of the waiting passed on. */
  async function openOwn({ work, visitor, signal, waits }: SoundRequest): Promise<ConvertedFile> {
    const opened = new AbortController();
    const telling = (async () => {
      for await (const { ahead } of own.watch(work, AbortSignal.any([signal, opened.signal]))) waits(ahead);
    })();
    try {
      return await own.open(work, visitor, signal);
    } finally {
      opened.abort();
      await telling;
      waits(null);
    }
  }

  /** What is missing of a file that somebody else began. */
  async function* rest(request: SoundRequest, etag: string, start: number) {
    const file = await openOwn(request);
    if (file.etag !== etag) {
      file.release();
      throw new Failure('conversion_failed', { note: 'begun elsewhere, with other bytes' });
    }
    yield* bytesOf(file, start);
  }

  async function* throughout(
    request: SoundRequest,
    { etag, chunks }: { etag: string; chunks: AsyncIterable<Uint8Array> },
  ): AsyncGenerator<Uint8Array, void, void> {
    let position = 0;
    try {
      for await (const chunk of chunks) {
        yield chunk;
        position += chunk.length;
      }
      return;
    } catch (error) {
      if (!(error instanceof JobsUnavailable)) throw asOwnFailure(error);
    }
    yield* rest(request, etag, position);
  }

  return {
    async prepare(request) {
      const { work, visitor, signal, waits } = request;
      try {
        const order = { key: fileKey(work), work: writeJob(work), visitor };
        const made = await jobs.order(order, signal, waits);
        return { ...made, chunks: throughout(request, made) };
      } catch (error) {
        if (!(error instanceof JobsUnavailable)) throw asOwnFailure(error);
      }
      const file = await openOwn(request);
      // Whoever leaves before the first byte was read leaves it to nobody.
      signal.addEventListener('abort', () => file.release(), { once: true });
      return { length: file.length, etag: file.etag, chunks: bytesOf(file, 0) };
    },
  };
}

/** Makes what others have ordered, by this instance's own conversions. */
export function createJobWork(own: Conversions): JobWorkerOptions['make'] {
  const asJobFailure = (error: unknown) =>
    error instanceof JobFailed ? error : new JobFailed(asFailure(error).key);

  async function* chunksOf(work: SoundWork, file: ConvertedFile, signal: AbortSignal) {
    try {
      yield* bytesOf(file, 0);
      // It counts as made when it is kept, so that nobody has it made again in between.
      for await (const { state } of own.watch(work, signal)) if (state === 'done' || state === 'idle') return;
    } catch (error) {
      throw asJobFailure(error);
    }
  }

  return async (text, signal) => {
    const work = readJob(text);
    try {
      const file = await own.open(work, fileKey(work), signal);
      signal.addEventListener('abort', () => file.release(), { once: true });
      return { length: file.length, etag: file.etag, chunks: chunksOf(work, file, signal) };
    } catch (error) {
      throw asJobFailure(error);
    }
  };
}
