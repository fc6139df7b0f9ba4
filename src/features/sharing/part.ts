import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Environment } from '../../process/environment.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import { openFolderFileStore } from '../../stores/embedded/folder-file-store.ts';

/** Some two thousand. */
const maxBytes = 64 * 2 ** 20;
const lifetimeMs = 30 * 86_400_000;
const sweepEveryMs = 3_600_000;

/** The share pictures that this machine has drawn: what it forgets it draws again. */
export const openSharePictures = (
  { DATA_DIR }: Pick<Environment, 'DATA_DIR'>,
  logger: Logger,
): Promise<FileStore> =>
  openFolderFileStore({
    folder: join(DATA_DIR, 'share-pictures'),
    ...{ maxBytes, lifetimeMs, sweepEveryMs, now: Date.now },
    onError: (error) => logger.error({ err: error }, 'a share picture could not be deleted'),
  });
