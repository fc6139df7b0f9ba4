import { join } from 'node:path';
import type { Logger } from 'pino';
import { createDrawer, type Drawer } from '../../images/drawing/drawer.ts';
import type { Environment } from '../../process/environment.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import { openFolderFileStore } from '../../stores/embedded/folder-file-store.ts';
import type { Assembled, FeatureContext } from '../../web/feature.ts';

/** Some two thousand. */
const maxBytes = 64 * 2 ** 20;
const lifetimeMs = 30 * 86_400_000;
const sweepEveryMs = 3_600_000;

/** The share pictures that this machine has drawn: what it forgets it draws again. */
const openSharePictures = ({ DATA_DIR }: Pick<Environment, 'DATA_DIR'>, logger: Logger): Promise<FileStore> =>
  openFolderFileStore({
    folder: join(DATA_DIR, 'share-pictures'),
    ...{ maxBytes, lifetimeMs, sweepEveryMs, now: Date.now },
    onError: (error) => logger.error({ err: error }, 'a share picture could not be deleted'),
  });

/** Draws the pictures of shared links, and stores them. */
export async function assembleSharing({ environment, logger }: FeatureContext): Promise<Assembled> {
  const sharePictureFiles = await openSharePictures(environment, logger);
  const drawer = createDrawer();
  return {
    parts: { drawer, sharePictureFiles },
    async close() {
      drawer.close();
      await sharePictureFiles.close();
    },
  };
}

declare module '../../web/server/parts.ts' {
  interface FeatureParts {
    /** Draws the pictures for sharing. */
    readonly drawer: Pick<Drawer, 'draw'>;
    /** Keeps them. */
    readonly sharePictureFiles: Pick<FileStore, 'open' | 'create'>;
  }
}
