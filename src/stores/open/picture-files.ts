import { createDatabasePictures } from '../../content/pictures/database-pictures.ts';
import type { Database } from '../contracts/database.ts';
import type { PictureFiles } from '../contracts/picture-files.ts';
import type { S3Client } from '../scale-out/s3/s3-client.ts';

/** The place of the pictures of articles, authors and ads: the database, or the store where there is one. */
export async function openPictureFiles(
  { query }: Pick<Database, 'query'>,
  s3: S3Client | null,
): Promise<PictureFiles> {
  const inDatabase = createDatabasePictures(query);
  if (s3 === null) return inDatabase;
  const { createPicturesInS3 } = await import('../scale-out/s3/pictures-in-s3.ts');
  return createPicturesInS3(s3, inDatabase, 'pictures/');
}
