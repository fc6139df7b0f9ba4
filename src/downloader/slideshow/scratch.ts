import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failures/failures.ts';

/** The folder of unfinished parts of videos. */
export type Scratch = Awaited<ReturnType<typeof openScratch>>;

/**
 * Opens the folder and deletes leftovers of a killed process.
 * @param folder of one running instance: a second would delete the first one's files
 */
export async function openScratch(folder: string) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    /** A new folder. */
    async open() {
      const path = await mkdtemp(join(folder, 'video-')).catch((error: unknown) => {
        throw asDiskFailure(error);
      });
      return {
        path,
        /** Deletes it; without effect the second time. A stopped process may still be writing its last file. */
        delete: (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 }),
      };
    },
  };
}

const full: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Converts an error of the disk into a failure when the disk is full. */
export function asDiskFailure(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && full.includes(error.code);
  return isFull ? new Failure('storage_full', { cause: error, note: 'no room for a video' }) : error;
}
