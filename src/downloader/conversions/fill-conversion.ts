import { asFailure, Failure } from '../../failures/failures.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import { GrowingFile } from '../expiring-files/growing-file.ts';
import type { MemoryBudget } from '../expiring-files/growing-storage.ts';
import { type Conversion, openFile } from './conversion.ts';
import type { PreparedFile } from './source.ts';

/** Where conversions write their files. */
export interface FileTarget {
  readonly fileStore: FileStore;
  /** Holds files for which the disk has no room. */
  readonly memory: MemoryBudget;
  /** Bytes of one file. */
  readonly maxFileBytes: number;
  /** Called with the error of a file that could not be closed. */
  readonly onError: (error: unknown) => void;
}

/** Opens the file of a conversion for its readers. @throws Failure `media_too_large`, `sound_missing`, `storage_full` */
async function startFile(conversion: Conversion, length: number, etag: string, target: FileTarget) {
  const { fileStore, memory, maxFileBytes, onError } = target;
  if (length > maxFileBytes) throw new Failure('media_too_large', { note: `${length} bytes` });
  if (length <= 0) throw new Failure('sound_missing', { note: 'an empty file' });
  const file = await GrowingFile.start({ store: fileStore, key: conversion.key, length, etag, memory });
  file.closed.catch(onError);
  openFile(conversion, file, etag);
}

/**
 * Writes a sound into the file of a conversion while others read it. Continues a file that an earlier attempt began
 * with the same bytes.
 * @returns whether the file is stored for later readers
 * @throws Failure, the reason of the conversion's signal, or what `chunks` throws
 */
export async function fillConversion(
  conversion: Conversion,
  { length, etag, chunks }: PreparedFile,
  target: FileTarget,
): Promise<boolean> {
  const { signal } = conversion.abort;
  signal.throwIfAborted();
  if (conversion.result === null) await startFile(conversion, length, etag, target);
  const { result } = conversion;
  if (result?.etag !== etag)
    throw new Failure('conversion_failed', { note: 'begun elsewhere, with other bytes' });
  let there = result.file.received;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    const known = Math.min(there, chunk.length);
    there -= known;
    await result.file.append(chunk.subarray(known));
    conversion.owned?.changed(false);
  }
  signal.throwIfAborted();
  return result.file.finish();
}

/** Ends the file of a conversion for its readers. @returns the failure that they get */
export async function failConversion(
  conversion: Conversion,
  thrown: unknown,
  onError: FileTarget['onError'],
): Promise<Failure> {
  const { signal } = conversion.abort;
  const failure = asFailure(signal.aborted ? signal.reason : thrown);
  // Set before the readers learn of it: their leaving afterwards is not a cancellation.
  conversion.error = failure;
  await conversion.result?.file.fail(failure).catch(onError);
  return failure;
}
