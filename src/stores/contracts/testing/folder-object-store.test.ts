import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderObjectStore } from './folder-object-store.ts';
import { describeObjectStore } from './object-store-suite.ts';

describeObjectStore('folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'object-store-'));
  return { store: openFolderObjectStore(folder), remove: () => rm(folder, { recursive: true }) };
});
