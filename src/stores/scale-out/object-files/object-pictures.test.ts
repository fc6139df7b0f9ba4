import { afterEach, beforeEach, expect, it } from 'vitest';
import { type S3Double, startS3Double } from '../../../../doubles/s3/server.ts';
import { type PictureFiles, PicturesUnavailable } from '../../contracts/picture-files.ts';
import { describePictureFiles } from '../../contracts/testing/picture-files-suite.ts';
import { engines, openFreshDatabase } from '../../contracts/testing/services/databases.ts';
import { createDatabasePictures } from '../../embedded/database-pictures.ts';
import { openTestClient } from '../s3/testing/open-test-client.ts';
import { createObjectPictures } from './object-pictures.ts';

async function makePlace(engine: (typeof engines)[number]) {
  const s3 = await startS3Double();
  const client = openTestClient(s3);
  const fresh = await openFreshDatabase(engine);
  const names = createDatabasePictures(fresh.database.query);
  return {
    s3,
    names,
    pictures: createObjectPictures(client, names),
    async remove() {
      await fresh[Symbol.asyncDispose]();
      await client.close();
      await s3.close();
    },
  };
}

for (const engine of engines) describePictureFiles(`in S3 and ${engine.name}`, () => makePlace(engine));

let place: Awaited<ReturnType<typeof makePlace>>;
let s3: S3Double;
let pictures: PictureFiles;
beforeEach(async () => {
  const [engine] = engines;
  if (engine === undefined) throw new Error('no engine');
  place = await makePlace(engine);
  ({ s3, pictures } = place);
});
afterEach(() => place.remove());

const file = { id: 'abcdef0123456789abcd', width: 320, format: 'webp', bytes: Buffer.from('bytes') };

it('keeps the bytes in the store and only their names in the database', async () => {
  await pictures.write([file]);
  expect([...s3.bucket.objects].map(([key, { headers }]) => [key, headers['content-type']])).toEqual([
    ['pictures/abcdef0123456789abcd-320.webp', 'image/webp'],
  ]);
  expect((await place.names.read(file))?.length).toBe(0);
});

it('serves earlier pictures from the database, without asking the store', async () => {
  await place.names.write([file]);
  expect(Buffer.from((await pictures.read(file)) ?? '').toString()).toBe('bytes');
  expect(await pictures.read({ ...file, width: 640 })).toBeNull();
  expect(s3.counts).toEqual({});
});

it('reports a store that does not answer or refuses, and then records no name that it cannot store', async () => {
  await pictures.write([file]);
  s3.failing = 503;
  await expect(pictures.read(file)).rejects.toThrow(PicturesUnavailable);
  await expect(pictures.write([{ ...file, width: 640 }])).rejects.toThrow(PicturesUnavailable);
  expect(await pictures.read({ ...file, width: 640 })).toBeNull();
});

it('finds nothing when the object was removed', async () => {
  await pictures.write([file]);
  s3.bucket.objects.clear();
  expect(await pictures.read(file)).toBeNull();
});
