import { afterEach, beforeEach, expect, it } from 'vitest';
import { type S3Double, startS3Double } from '../../../../doubles/s3/server.ts';
import type { OpenObject } from '../../contracts/object-store.ts';
import { describeObjectStore } from '../../contracts/testing/object-store-suite.ts';
import type { S3Client } from './s3-client.ts';
import { openTestClient } from './testing/open-test-client.ts';

describeObjectStore('S3', async () => {
  const double = await startS3Double({ pageSize: 2 });
  const store = openTestClient(double);
  return {
    store,
    async remove() {
      await store.close();
      await double.close();
    },
  };
});

let s3: S3Double;
let client: S3Client;
beforeEach(async () => {
  s3 = await startS3Double();
  client = openTestClient(s3);
});
afterEach(async () => {
  await client.close();
  await s3.close();
});

it('passes the file slot on, however slowly many read theirs', async () => {
  // More than the sockets allow: each of these occupies its connection.
  const bytes = Buffer.alloc(8 * 2 ** 20);
  await client.put('large', bytes, { contentType: 'text/plain' });
  const slow: (OpenObject | null)[] = [];
  for (let n = 0; n < 100; n += 1) slow.push(await client.open('large'));
  let length = 0;
  for await (const part of (await client.open('large'))?.body ?? []) length += (part as Buffer).length;
  expect(length).toBe(bytes.length);
  expect(await client.facts('large')).not.toBeNull();
  for (const object of slow) object?.body.destroy();
});
