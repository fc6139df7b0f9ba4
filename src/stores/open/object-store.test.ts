import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type S3Double, startS3Double } from '../../../doubles/s3/server.ts';
import { EnvironmentError } from '../../process/environment.ts';
import { openObjectStore } from './object-store.ts';

let s3: S3Double;
beforeAll(async () => {
  s3 = await startS3Double();
});
afterAll(() => s3.close());

const silent = pino({ level: 'silent' });
const open = (changes: Partial<S3Double['environment']> = {}, metrics = new Registry()) =>
  openObjectStore({ ...s3.environment, ...changes }, metrics, silent);

test('is absent without its variables', async () => {
  const unset = { S3_ENDPOINT: undefined, S3_BUCKET: undefined, S3_REGION: 'us-east-1' };
  const keys = { S3_ACCESS_KEY_ID: undefined, S3_SECRET_ACCESS_KEY: undefined };
  expect(await openObjectStore({ ...unset, ...keys }, new Registry(), silent)).toBeNull();
});

test('the metrics report whether it is reachable', async () => {
  const metrics = new Registry();
  const client = await open({}, metrics);
  expect(await metrics.getSingleMetricAsString('clipferry_s3_up')).toContain('clipferry_s3_up 1');
  await client?.close();
});

test('starts although it is unreachable', async () => {
  const metrics = new Registry();
  const client = await open({ S3_ENDPOINT: 'http://127.0.0.1:9' }, metrics);
  expect(client?.isAway).toBe(true);
  expect(await metrics.getSingleMetricAsString('clipferry_s3_up')).toContain('clipferry_s3_up 0');
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
