import type { Database } from '../contracts/database.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { PictureFiles } from '../contracts/picture-files.ts';
import { createDatabasePictures } from '../embedded/database-pictures.ts';

/** Opens the store of pictures of articles, authors and ads: the object store if there is one, else the database. */
export async function openPictureFiles(
  { query }: Pick<Database, 'query'>,
  objects: ObjectStore | null,
): Promise<PictureFiles> {
  const inDatabase = createDatabasePictures(query);
  if (objects === null) return inDatabase;
  const { createObjectPictures } = await import('../scale-out/object-files/object-pictures.ts');
  return createObjectPictures(objects, inDatabase, 'pictures/');
}
