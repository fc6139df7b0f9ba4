import { asFailure, Failure } from '../../failures/failures.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import { type GrowingFile, startGrowingFile } from '../expiring-files/growing-file.ts';
import type { MemoryBudget } from '../expiring-files/memory-budget.ts';
import { type Conversion, openFile, setState, setWaits } from './conversion.ts';
import type { SoundMaker } from './source.ts';

export interface RunOptions {
  readonly maker: SoundMaker;
  readonly fileStore: FileStore;
  readonly memory: MemoryBudget;
  /** Bytes of one file. */
  readonly maxFileBytes: number;
  /** A conversion that takes longer ends with `conversion_timeout`; a long file gets more ({@link longFileMs}). */
  readonly maxDurationMs: number;
  /** On whose account it runs. */
  readonly visitor: string;
  /** True under overload: quality may give way to speed. */
  readonly fast: boolean;
  /** Told of a file that could not be closed. */
  readonly onError: (error: unknown) => void;
}

/** What a file's length adds to the limit, in ms: an mp3 comes at least four times as fast as it plays. */
const longFileMs = (bytes: number) => bytes / 64;

/** Makes a conversion's file. @returns why it failed, and whether the file is there for later readers; never rejects */
export async function runConversion(
  conversion: Conversion,
  { maker, fileStore, memory, maxFileBytes, maxDurationMs, visitor, fast, onError }: RunOptions,
): Promise<{ failure: Failure | null; kept: boolean }> {
  const { work, key, abort } = conversion;
  const { signal } = abort;
  const giveUp = () => abort.abort(new Failure('conversion_timeout'));
  let limit = setTimeout(giveUp, maxDurationMs).unref();
  let file: GrowingFile | null = null;
  try {
    setState(conversion, 'reading');
    const waits = (ahead: number | null) => setWaits(conversion, ahead);
    const prepared = await maker.prepare({ work, visitor, fast, signal, waits });
    signal.throwIfAborted();
    const { length, etag } = prepared;
    if (length > maxFileBytes) throw new Failure('media_too_large', { note: `${length} bytes` });
    if (length <= 0) throw new Failure('sound_missing', { note: 'an empty file' });
    clearTimeout(limit);
    limit = setTimeout(giveUp, maxDurationMs + longFileMs(length)).unref();
    file = await startGrowingFile({ store: fileStore, key, length, etag, memory });
    file.closed.catch(onError);
    signal.throwIfAborted();
    openFile(conversion, file, etag);
    for await (const chunk of prepared.chunks) {
      signal.throwIfAborted();
      await file.append(chunk);
      conversion.owned?.changed(false);
    }
    signal.throwIfAborted();
    return { failure: null, kept: await file.finish() };
  } catch (thrown) {
    const failure = asFailure(signal.aborted ? signal.reason : thrown);
    // Known before its readers are told: that they leave for it is no cancelling.
    conversion.error = failure;
    await file?.fail(failure).catch(onError);
    return { failure, kept: false };
  } finally {
    clearTimeout(limit);
  }
}
