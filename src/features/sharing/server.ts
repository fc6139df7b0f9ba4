import { join } from 'node:path';
import type { Logger } from 'pino';
import { createDrawer } from '../../images/drawing/drawer.ts';
import type { Environment } from '../../process/environment.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import { openFolderFileStore } from '../../stores/embedded/folder-file-store.ts';
import { sharePictures } from './share-pictures.ts';

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
export default async function openSharing({ environment, logger }: Core): Promise<FeatureServer> {
  const files = await openSharePictures(environment, logger);
  const drawer = createDrawer();
  return {
    routes: (app, parts) => sharePictures(app, { ...parts, drawer, files }),
    async close() {
      drawer.close();
      await files.close();
    },
  };
}
