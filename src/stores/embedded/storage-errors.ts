import { unlink } from 'node:fs/promises';
import { StorageFull } from '../contracts/file-store.ts';

/** Whether this is a system error with one of these codes. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
  );
}

/** SQLite's result code for a full disk. */
const sqliteFull = 13;

/** A full disk, quota or file size limit as {@link StorageFull}; every other error as it is. */
export function asStorageFull(error: unknown, message = 'The disk is full'): unknown {
  return isSystemError(error, 'ENOSPC', 'EDQUOT', 'EFBIG') ||
    (error as { errcode?: number }).errcode === sqliteFull
    ? new StorageFull(message, { cause: error })
    : error;
}

/** Deletes a file that may be gone already. */
export async function deleteIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
}
