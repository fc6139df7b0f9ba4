import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type S3Double, startS3Double } from '../../../doubles/s3/server.ts';
import { EnvironmentError } from '../../process/variables.ts';
import { openObjectStore } from './object-store.ts';

let s3: S3Double;
beforeAll(async () => {
  s3 = await startS3Double();
});
afterAll(() => s3.close());

const silent = pino({ level: 'silent' });
const open = (changes: Partial<S3Double['environment']> = {}) =>
  openObjectStore({ ...s3.environment, ...changes }, silent);

test('is absent without its variables', async () => {
  const unset = { S3_ENDPOINT: undefined, S3_BUCKET: undefined, S3_REGION: 'us-east-1' };
  const keys = { S3_ACCESS_KEY_ID: undefined, S3_SECRET_ACCESS_KEY: undefined };
  expect(await openObjectStore({ ...unset, ...keys }, silent)).toBeNull();
});

test('reports that it is reachable', async () => {
  const client = await open();
  expect(client?.isAway).toBe(false);
  await client?.close();
});

test('starts although it is unreachable', async () => {
  const client = await open({ S3_ENDPOINT: 'http://127.0.0.1:9' });
  expect(client?.isAway).toBe(true);
  await client?.close();
});

test.each([
  ['S3_BUCKET', 'another-bucket', 'NoSuchBucket'],
  ['S3_ACCESS_KEY_ID', 'nobody', 'InvalidAccessKeyId'],
  ['S3_SECRET_ACCESS_KEY', 'not the secret', 'SignatureDoesNotMatch'],
  ['S3_REGION', 'elsewhere-1', 'AuthorizationHeaderMalformed'],
])('names a wrong %s', async (name, value, code) => {
  const opening = open({ [name]: value });
  await expect(opening).rejects.toThrow(EnvironmentError);
  await expect(opening).rejects.toThrow(new RegExp(`^${name}: S3 answered 4\\d\\d ${code}$`));
});
