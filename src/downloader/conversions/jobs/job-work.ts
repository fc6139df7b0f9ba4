import { Failure } from '../../../failures/failures.ts';
import type { JobWorkerOptions } from '../../../stores/contracts/conversion-jobs.ts';
import type { FileStore, StoredFile } from '../../../stores/contracts/file-store.ts';
import type { TicketConversion } from '../../tickets/ticket-file.ts';
import type { ConvertedFile } from '../contracts.ts';
import { createConversion, isMade } from '../conversion.ts';
import type { ConversionEnd, ConversionRunner } from '../conversion-runner.ts';
import { viewGrowingFile, viewStoredFile } from '../readers.ts';
import { fileKey } from '../source.ts';
import { asJobFailure, readJob } from './job-text.ts';

interface JobWorkOptions {
  readonly runner: ConversionRunner;
  /** Finished files. */
  readonly fileStore: Pick<FileStore, 'open'>;
  /** Stops what runs, for another instance to go on with. */
  readonly stopping: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** The bytes of a file, and then how its run ended; lets go of the file at the end. @throws JobFailed */
async function* chunksOf(file: ConvertedFile, ended: Promise<Pick<ConversionEnd, 'failure'>>) {
  try {
    yield* file.read(0, file.length);
    // A job is done when its file is stored, so that no instance orders it again in between.
    const { failure } = await ended;
    if (failure !== null) throw failure;
  } catch (error) {
    throw asJobFailure(error);
  } finally {
    file.release();
  }
}

/** Makes the files of jobs by the runner of this instance. */
export function createJobWork({
  runner,
  fileStore,
  stopping,
  onError,
}: JobWorkOptions): JobWorkerOptions['make'] {
  function give(file: ConvertedFile, ended: Promise<Pick<ConversionEnd, 'failure'>>, signal: AbortSignal) {
    signal.addEventListener('abort', () => file.release(), { once: true });
    return { length: file.length, etag: file.etag, chunks: chunksOf(file, ended) };
  }

  function streamStored(kept: StoredFile, signal: AbortSignal) {
    return give(viewStoredFile(kept, onError), Promise.resolve({ failure: null }), signal);
  }

  async function run(
    work: TicketConversion,
    key: string,
    signal: AbortSignal,
    made: (fraction: number) => void,
  ) {
    const conversion = createConversion(work, key, made);
    const { abort, readers } = conversion;
    const reader = readers.add({ visitor: key, waiter: key }, () => {
      if (!isMade(conversion)) abort.abort(new Failure('conversion_cancelled'));
    });
    const leave = () => reader.leave();
    const stop = () => abort.abort(new Failure('stopping'));
    signal.addEventListener('abort', leave, { once: true });
    stopping.addEventListener('abort', stop, { once: true });
    const ended = runner
      .run(conversion, key, false)
      .finally(() => stopping.removeEventListener('abort', stop));
    await Promise.race([conversion.opened.promise, ended]);
    if (conversion.result === null) throw (await ended).failure;
    return give(viewGrowingFile(conversion.result.file, conversion.result.etag, reader), ended, signal);
  }

  return async (text, signal, made) => {
    const work = readJob(text);
    const key = fileKey(work);
    try {
      const kept = await fileStore.open(key);
      if (kept !== null) return streamStored(kept, signal);
      if (stopping.aborted) throw new Failure('stopping');
      return await run(work, key, signal, made);
    } catch (error) {
      throw asJobFailure(error);
    }
  };
}
