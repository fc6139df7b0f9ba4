import type { Logger } from 'pino';
import type { Environment } from '../../process/environment.ts';
import type { Database } from '../contracts/database.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { PictureFiles } from '../contracts/picture-files.ts';
import { createDatabasePictures } from '../embedded/database-pictures.ts';
import { openFolderFileStore } from '../embedded/folder-file-store.ts';

/** Opens this machine's folder, and the shared store if there is one. */
export async function openFileStores(
  { KEPT_FILES_MB }: Pick<Environment, 'KEPT_FILES_MB'>,
  folder: string,
  objects: ObjectStore | null,
  logger: Logger,
) {
  const local = await openFolderFileStore({
    folder,
    maxBytes: KEPT_FILES_MB * 2 ** 20,
    now: Date.now,
    onError: (error) => logger.error({ err: error }, 'a stored file could not be deleted'),
  });
  if (objects === null) return { kept: local, local };
  const { openObjectFileStore } = await import('../scale-out/object-files/object-file-store.ts');
  const kept = openObjectFileStore({
    objects,
    local,
    prefix: 'conversions/',
    now: Date.now,
    onError: (error) => logger.error({ err: error }, `${objects.name} refused a file`),
  });
  return {
    /** This machine's folder, and the store shared by all instances if there is one. */
    kept,
    /** Only the folder, for files that another machine stores. Closed with the other. */
    local,
  };
}

/** The place for finished conversions. */
export type FileStores = Awaited<ReturnType<typeof openFileStores>>;

/** Opens the store of pictures of articles, authors and ads: the object store if there is one, else the database. */
export async function openPictureFiles(
  { query }: Pick<Database, 'query'>,
  objects: ObjectStore | null,
): Promise<PictureFiles> {
  const inDatabase = createDatabasePictures(query);
  if (objects === null) return inDatabase;
  const { createObjectPictures } = await import('../scale-out/object-files/object-pictures.ts');
  return createObjectPictures(objects, inDatabase);
}
