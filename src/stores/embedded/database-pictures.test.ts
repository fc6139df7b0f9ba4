import { describePictureFiles } from '../contracts/testing/picture-files-suite.ts';
import { engines, openFreshDatabase } from '../contracts/testing/services/databases.ts';
import { createDatabasePictures } from './database-pictures.ts';

for (const engine of engines)
  describePictureFiles(`in ${engine.name}`, async () => {
    const fresh = await openFreshDatabase(engine);
    return {
      pictures: createDatabasePictures(fresh.database.query),
      remove: () => fresh[Symbol.asyncDispose](),
    };
  });
