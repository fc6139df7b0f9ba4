import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leastPartBytes } from './bucket.ts';
import { type S3Double, startS3Double } from './server.ts';

let s3: S3Double;
let client: AwsClient;
let base: string;
beforeAll(async () => {
  s3 = await startS3Double({ pageSize: 2 });
  base = `${s3.environment.S3_ENDPOINT}/${s3.environment.S3_BUCKET}`;
  client = signingWith({});
});
afterAll(() => s3.close());

function signingWith(changes: { secretAccessKey?: string; accessKeyId?: string; region?: string }) {
  return new AwsClient({
    accessKeyId: s3.environment.S3_ACCESS_KEY_ID,
    secretAccessKey: s3.environment.S3_SECRET_ACCESS_KEY,
    region: s3.environment.S3_REGION,
    service: 's3',
    retries: 0,
    ...changes,
  });
}
const codeOf = async (response: Response) => /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];

test('returns an object as it was put, whole and in parts', async () => {
  const headers = { 'x-amz-meta-note': 'kept', 'content-type': 'text/plain' };
  await client.fetch(`${base}/folder/a`, { method: 'PUT', body: 'some content', headers });
  const whole = await client.fetch(`${base}/folder/a`);
  expect(await whole.text()).toBe('some content');
  expect(whole.headers.get('x-amz-meta-note')).toBe('kept');
  const part = await client.fetch(`${base}/folder/a`, { headers: { range: 'bytes=5-8' } });
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
    206,
    'cont',
    'bytes 5-8/12',
  ]);
  const past = await client.fetch(`${base}/folder/a`, { headers: { range: 'bytes=12-' } });
  expect([past.status, await codeOf(past)]).toEqual([416, 'InvalidRange']);
  const other = await client.fetch(`${base}/folder/a`, { headers: { 'if-match': '"other"' } });
  expect(other.status).toBe(412);
  expect((await client.fetch(`${base}/folder/a`, { method: 'DELETE' })).status).toBe(204);
  expect(await codeOf(await client.fetch(`${base}/folder/a`))).toBe('NoSuchKey');
});

test('makes objects of complete uploads only', async () => {
  const started = await (await client.fetch(`${base}/big?uploads=`, { method: 'POST' })).text();
  const id = /<UploadId>(.*?)<\/UploadId>/.exec(started)?.[1] ?? '';
  const address = (query: string) => `${base}/big?uploadId=${id}${query}`;
  const put = async (number: number, body: Buffer<ArrayBuffer>) => {
    const answer = await client.fetch(address(`&partNumber=${number}`), { method: 'PUT', body });
    return `<Part><PartNumber>${number}</PartNumber><ETag>${answer.headers.get('etag')}</ETag></Part>`;
  };
  const complete = (...parts: string[]) =>
    client.fetch(address(''), {
      method: 'POST',
      body: `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
    });
  const small = await put(1, Buffer.from('too small'));
  const last = await put(2, Buffer.from('the end'));
  expect(await codeOf(await complete(small, last))).toBe('EntityTooSmall');
  const first = await put(1, Buffer.alloc(leastPartBytes, 1));
  expect(await codeOf(await complete(small, last))).toBe('InvalidPart');
  expect(await codeOf(await complete(last, first))).toBe('InvalidPartOrder');
  expect(s3.bucket.objects.has('big')).toBe(false);
  expect((await complete(first, last)).status).toBe(200);
  expect(s3.bucket.objects.get('big')?.bytes.length).toBe(leastPartBytes + 7);
  expect(await codeOf(await complete(first, last))).toBe('NoSuchUpload');
});

test('lists objects in pages', async () => {
  for (const key of ['p/3', 'p/1', 'p/2', 'q/1']) s3.bucket.put(key, Buffer.from(key), {});
  const page = async (more = '') => (await client.fetch(`${base}?list-type=2&prefix=p%2F${more}`)).text();
  const keys = (xml: string) => [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key);
  const first = await page();
  expect(keys(first)).toEqual(['p/1', 'p/2']);
  const token = /<NextContinuationToken>(.*?)<\//.exec(first)?.[1]?.replaceAll('&#61;', '=') ?? '';
  expect(keys(await page(`&continuation-token=${encodeURIComponent(token)}`))).toEqual(['p/3']);
});

test.each([
  ['another secret', { secretAccessKey: 'x' }, 'SignatureDoesNotMatch'],
  ['another key', { accessKeyId: 'x' }, 'InvalidAccessKeyId'],
  ['another region', { region: 'x-1' }, 'AuthorizationHeaderMalformed'],
])('refuses %s', async (_, changes, code) => {
  expect(await codeOf(await signingWith(changes).fetch(`${base}/a`))).toBe(code);
});

test('refuses requests that are unsigned, late, or differ in body or address from what was signed', async () => {
  expect(await codeOf(await fetch(`${base}/a`))).toBe('AccessDenied');
  const signed = await client.sign(`${base}/a`, {
    method: 'PUT',
    body: 'one',
    headers: { 'x-amz-content-sha256': '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed' },
  });
  const send = (url: string, body: string) => fetch(url, { method: 'PUT', headers: signed.headers, body });
  expect(await codeOf(await send(`${base}/a`, 'two'))).toBe('XAmzContentSHA256Mismatch');
  expect(await codeOf(await send(`${base}/b`, 'one'))).toBe('SignatureDoesNotMatch');
  const early = await client.sign(`${base}/a`, { aws: { datetime: '20200101T000000Z' } });
  expect(await codeOf(await fetch(early))).toBe('RequestTimeTooSkewed');
});
