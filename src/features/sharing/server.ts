import { join } from 'node:path';
import { createDrawer } from '../../images/drawing/drawer.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { openFolderFileStore } from '../../stores/embedded/folder-file-store.ts';
import { sharePictures } from './share-pictures.ts';

/** Some two thousand. */
const maxBytes = 64 * 2 ** 20;
const lifetimeMs = 30 * 86_400_000;
const sweepEveryMs = 3_600_000;

/** Draws the pictures of shared links, and stores them. */
export default async function openSharing({ environment, logger }: Core): Promise<FeatureServer> {
  // What it forgets it draws again.
  const files = await openFolderFileStore({
    folder: join(environment.DATA_DIR, 'share-pictures'),
    ...{ maxBytes, lifetimeMs, sweepEveryMs, now: Date.now },
    onError: (error) => logger.error({ err: error }, 'a share picture could not be deleted'),
  });
  const drawer = createDrawer();
  return {
    routes: (app, parts) => sharePictures(app, { ...parts, drawer, files }),
    async close() {
      drawer.close();
      await files.close();
    },
  };
}
