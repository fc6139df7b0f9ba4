import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type S3Double, startS3Double } from '../../doubles/s3/server.ts';
import { type FaultyLine, openFaultyLine } from '../../src/stores/contracts/testing/services/faulty-line.ts';
import { expectWithin, isAudit } from '../support/audit/scope.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { numberedId, type PlatformProcess, startPlatform } from '../support/platform.ts';
import { startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

/** Two instances that share only an S3 store and their key. */
let s3: S3Double;
let line: FaultyLine;
let platform: PlatformProcess;
let env: Readonly<Record<string, string>>;
let one: Journey;
let other: Journey;

beforeAll(async () => {
  [s3, platform] = await Promise.all([startS3Double(), startPlatform()]);
  line = await openFaultyLine({ host: '127.0.0.1', port: s3.port });
  env = {
    ...s3.environment,
    S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
    SECRET_KEY: 'the same on all instances, and long enough',
  };
  [one, other] = await Promise.all([startJourney({ platform, env }), startJourney({ platform, env })]);
});
afterAll(async () => {
  line.resume();
  await Promise.all([one.stop(), other.stop()]);
  await line.close();
  await Promise.all([s3.close(), platform.stop()]);
});

/** The other objects are pictures of articles. */
const sounds = () => [...s3.bucket.objects.keys()].filter((key) => key.startsWith('conversions/')).length;
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const readiness = async ({ get }: Journey) => (await get('/readyz')).text();
const logged = ({ product }: Journey, message: RegExp) =>
  product.log().filter(({ msg }) => message.test(String(msg))).length;
const conversions = ({ product }: Journey) => product.metric('clipferry_conversions_ended_total');

/** The whole file, with its description. */
async function download(journey: Journey, href: string, headers: Record<string, string> = {}) {
  const response = await journey.get(href, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

async function soundOf(journey: Journey, number: number): Promise<string> {
  const { answer } = await journey.resolve(`https://www.tiktok.com/@a/video/${numberedId(number)}`);
  const option = 'result' in answer ? answer.result.options.find(({ id }) => id === 'mp3') : undefined;
  return option?.href ?? expect.unreachable(JSON.stringify(answer));
}

test('a sound made by one instance is available on every instance: whole, in parts, and as a status', async () => {
  const href = await one.href('ordinary', 'mp3');
  const made = await download(one, href);
  await until('it is in the store', () => sounds() === 1);
  const found = await download(other, href);
  expect(found.status).toBe(200);
  expect(digest(found.bytes)).toBe(digest(made.bytes));
  expect(found.headers.get('etag')).toBe(made.headers.get('etag'));
  expect(found.headers.get('accept-ranges')).toBe('bytes');
  const middle = await download(other, href, {
    range: 'bytes=5000-5999',
    'if-range': made.headers.get('etag') ?? '',
  });
  expect(middle.status).toBe(206);
  expect(middle.headers.get('content-range')).toBe(`bytes 5000-5999/${made.bytes.length}`);
  expect(middle.bytes.equals(made.bytes.subarray(5000, 6000))).toBe(true);
  const end = await download(other, href, { range: 'bytes=-10' });
  expect(end.bytes.equals(made.bytes.subarray(-10))).toBe(true);
  expect(await (await other.get(`${href}/status`)).json()).toMatchObject({
    result: { state: 'done', bytes: made.bytes.length },
  });
  expect(await conversions(other)).toBe(0);
  expect(await other.product.metric('clipferry_conversions_asked_total', { how: 'kept' })).toBe(3);
});

test.runIf(isAudit)('files of a killed instance are still there', async () => {
  const third = await startJourney({ platform, env });
  const href = await soundOf(third, 1);
  const made = await download(third, href);
  await until('it is in the store', () => sounds() === 2);
  await third.product.stop('SIGKILL');
  const before = await conversions(other);
  expect(digest((await download(other, href)).bytes)).toBe(digest(made.bytes));
  expect(await conversions(other)).toBe(before);
});

test.runIf(isAudit).each(['stall', 'lose', 'reset'] as const)(
  'gone (%s): sounds are served while they are made and kept on disk, the log says so once, and they are sent later',
  async (how) => {
    const number = { stall: 10, lose: 20, reset: 30 }[how];
    const objects = sounds();
    const before = [logged(one, /S3 does not answer/), await conversions(one)] as const;
    line[how]();
    if (how === 'reset') line.stall();
    const href = await soundOf(one, number);
    const made = await download(one, href);
    expect(made.status).toBe(200);
    expect(made.bytes.length).toBe(Number(made.headers.get('content-length')));
    await until('it says so', async () => (await readiness(one)) === 'ready, without S3\n');
    await until('it is kept', async () => (await conversions(one)) === before[1] + 1);
    const since = performance.now();
    const kept = await download(one, href, { range: 'bytes=100-' });
    expect(kept.status).toBe(206);
    expect(kept.bytes.equals(made.bytes.subarray(100))).toBe(true);
    expect((await download(one, await soundOf(one, number + 1))).status).toBe(200);
    // Requests do not wait for a store that is known to be unreachable.
    expectWithin(15_000, since);
    await until('both are kept', async () => (await conversions(one)) === before[1] + 2);
    expect(sounds()).toBe(objects);
    line.resume();
    await until('it is back', async () => (await readiness(one)) === 'ready\n');
    await until('all is in the store', () => sounds() === objects + 2);
    expect(logged(one, /S3 does not answer/)).toBe(before[0] + 1);
    await until('the other has it too', async () => (await readiness(other)) === 'ready\n');
    expect(digest((await download(other, href)).bytes)).toBe(digest(made.bytes));
  },
);

test.runIf(isAudit)('an instance starts without its store, and uses it later', async () => {
  line.stall();
  const third = await startJourney({ platform, env });
  expect(await readiness(third)).toBe('ready, without S3\n');
  line.resume();
  await until('it has it', async () => (await readiness(third)) === 'ready\n');
  expect(await third.product.stop()).toBe(0);
});

test('a store that refuses the configured access stops the start with one line that names the wrong variable', async () => {
  const wrong = { ...platform.environment, ...env, S3_SECRET_ACCESS_KEY: 'not the secret' };
  const message = await startProduct({ env: wrong }).then(
    () => 'started',
    (error: Error) => error.message,
  );
  expect(message).toMatch(/S3_SECRET_ACCESS_KEY: S3 answered 403 SignatureDoesNotMatch\n/);
  expect(message).not.toContain('not the secret');
});
