import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type S3Double, startS3Double } from '../../doubles/s3/server.ts';
import { isAudit } from '../support/audit/scope.ts';
import { canHaveInstances, type Instances, prepareInstances } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';
import { hasFfmpeg, probeVideo } from '../support/probe.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

interface Status {
  readonly state: string;
  readonly ahead: number | null;
  readonly progress: number;
}

describe.skipIf(!canHaveInstances)('two instances that leave conversions to a converter', () => {
  let instances: Instances;
  let s3: S3Double;
  let one: Journey;
  let other: Journey;
  let converter: RunningProduct;

  beforeAll(async () => {
    [instances, s3] = await Promise.all([prepareInstances(), startS3Double()]);
    // Without their own ffmpeg.
    const env = { CONVERSIONS: '0', TRUST_PROXY: '127.0.0.1', PATH: '/nowhere', ...s3.environment };
    [one, other, converter] = await Promise.all([
      instances.start(env),
      instances.start(env),
      instances.startConverter({ CONVERSIONS: '2', ...s3.environment }),
    ]);
  });
  afterAll(async () => {
    await instances?.stop();
    await s3?.close();
  });
  afterEach(() => instances.platform.reset());

  const request = (journey: Journey, path: string, visitor: string, init: RequestInit = {}) =>
    journey.get(path, { ...init, headers: { 'x-forwarded-for': visitor } });
  const statusOf = async (journey: Journey, href: string) =>
    ((await (await journey.get(`${href}/status`)).json()) as { result: Status }).result;
  const cancel = async (journey: Journey, href: string, visitor: string) =>
    (await request(journey, `${href}/status`, visitor, { method: 'DELETE' })).json();
  const made = (outcome: string) => converter.metric('clipferry_conversions_ended_total', { outcome });
  const jobs = (state: string) => one.product.metric('clipferry_conversion_jobs', { state });
  const runs = (journey: Journey, href: string) =>
    until('it runs', async () => /reading|converting/.test((await statusOf(journey, href)).state));
  const slowDown = (bandwidthBps: number, ...posts: string[]) =>
    instances.platform.configure({
      posts: Object.fromEntries(posts.map((post) => [post, { bandwidthBps }])),
    });
  /** Starts a conversion that does not end by itself. */
  async function occupy(journey: Journey, post: string, visitor: string) {
    await slowDown(1_500_000, post);
    const href = await journey.href(post, 'mp3');
    const answer = request(journey, href, visitor).then((response) => response.arrayBuffer());
    answer.catch(() => {});
    await runs(journey, href);
    return href;
  }

  test('resolves on one, requests on the other, reports on the first, and both serve it when it is ready', async () => {
    const href = await one.href('moov-last', 'mp3');
    expect((await statusOf(other, href)).state).toBe('idle');
    const events = await one.get(`${href}/status`, { headers: { accept: 'text/event-stream' } });
    const response = await request(other, href, '203.0.113.1');
    expect(response.status).toBe(200);
    const bytes = await bytesOf(response);
    expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
    expect(Math.abs(readMp3(bytes).durationS - 20)).toBeLessThan(0.15);
    const reported = await events.text();
    expect(reported).toMatch(/"state":"(?:waiting|reading|converting)"/);
    expect(reported).toMatch(/"state":"done","ahead":null,"progress":1,"bytes":\d+,"error":null\}\n\n$/);
    await until('it has ended', async () => (await made('done')) === 1);
    for (const journey of [one, other]) {
      const part = await journey.get(href, { headers: { range: 'bytes=100-199' } });
      expect(part.status).toBe(206);
      expect((await bytesOf(part)).equals(bytes.subarray(100, 200))).toBe(true);
      expect(part.headers.get('etag')).toBe(response.headers.get('etag'));
    }
    expect(await made('done')).toBe(1);
  });

  test('runs one conversion for all who ask on both, and sends its bytes while it is made', async () => {
    await slowDown(2_000_000, 'long-60s');
    const before = await made('done');
    const href = await one.href('long-60s', 'mp3');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => request(n % 2 === 0 ? one : other, href, `203.0.113.${n}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect((await statusOf(other, href)).state).toBe('converting');
    expect(await jobs('active')).toBe(1);
    const files = await Promise.all(answers.map(bytesOf));
    expect(new Set(files.map(({ length }) => length)).size).toBe(1);
    expect(files.every((bytes) => bytes.equals(files[0] ?? Buffer.alloc(0)))).toBe(true);
    await until('it has ended', async () => (await made('done')) === before + 1);
  });

  test('one visitor has one conversion at a time on both, and another visitor does not wait for it', {
    skip: !isAudit,
  }, async () => {
    const slow = await occupy(one, 'ten-minutes', '198.51.100.1');
    const second = await one.href('very-short', 'mp3');
    const waiting = request(other, second, '198.51.100.1');
    await until('the second waits', async () => (await statusOf(one, second)).state === 'waiting');
    const elses = await request(other, await one.href('landscape', 'mp3'), '198.51.100.2');
    expect(await bytesOf(elses)).toHaveLength(Number(elses.headers.get('content-length')));
    expect((await statusOf(one, second)).state).toBe('waiting');
    // On the instance that does not know it: by a visitor who did not request it, and by the one who did. Another
    // visitor at the same address gets another response.
    const neighbours = await other.href('ten-minutes', 'mp3');
    expect(await cancel(other, neighbours, '198.51.100.1')).toMatchObject({ result: { cancelled: false } });
    expect(await cancel(other, slow, '198.51.100.2')).toMatchObject({ result: { cancelled: false } });
    expect(await cancel(other, slow, '198.51.100.1')).toMatchObject({ result: { cancelled: true } });
    expect((await statusOf(other, slow)).state).toBe('cancelled');
    expect(readMp3(await bytesOf(await waiting)).frames).toBeGreaterThan(30);
    await until('the converter has stopped', async () => (await made('cancelled')) === 1);
  });

  test('tells a waiting visitor the position, which moves up', { skip: !isAudit }, async () => {
    const running = [
      await occupy(one, 'ten-minutes', '192.0.2.1'),
      await occupy(other, 'fine-interleave', '192.0.2.2'),
    ] as const;
    const [first, second] = [await one.href('ordinary', 'mp3'), await one.href('only-576', 'mp3')];
    const refused = request(one, first, '192.0.2.8');
    await until('the first waits', async () => (await statusOf(other, first)).ahead === 0);
    const waiting = request(other, second, '192.0.2.9');
    await until('the second waits behind it', async () => (await statusOf(one, second)).ahead === 1);
    expect(await jobs('waiting')).toBe(2);
    expect(await jobs('places')).toBe(2);
    await cancel(other, first, '192.0.2.8');
    expect((await refused).status).toBe(409);
    await until('it moved up', async () => (await statusOf(one, second)).ahead === 0);
    await cancel(other, running[0], '192.0.2.1');
    expect((await bytesOf(await waiting)).length).toBeGreaterThan(10_000);
    await cancel(one, running[1], '192.0.2.2');
  });

  test.runIf(isAudit && hasFfmpeg)(
    'makes a video of a slideshow where there is an ffmpeg, and reports progress on both',
    async () => {
      // An instance queried before the converter started reports for five seconds that nobody makes videos.
      await until('converters are known', async () => {
        const { answer } = await one.resolve('photos-no-sound');
        return 'result' in answer && answer.result.options.some(({ id }) => id === 'mp4-slideshow');
      });
      const href = await one.href('photos-no-sound', 'mp4-slideshow');
      const events = await other.get(`${href}/status`, { headers: { accept: 'text/event-stream' } });
      const before = await made('done');
      const [mp4, same] = await Promise.all(
        [one, other].map(async (journey, at) =>
          bytesOf(await request(journey, href, `198.51.100.${30 + at}`)),
        ),
      );
      expect(probeVideo(mp4 ?? Buffer.alloc(0)).durationS).toBeCloseTo(5, 1);
      expect(same?.equals(mp4 ?? Buffer.alloc(0))).toBe(true);
      expect(await events.text()).toMatch(/"state":"converting","ahead":null,"progress":0\.\d+,"bytes":null/);
      await until('it has ended', async () => (await made('done')) === before + 1);
    },
  );

  test('a converter told to stop finishes its job; then the instances convert themselves', {
    skip: !isAudit,
  }, async () => {
    await slowDown(1_000_000, 'no-h265');
    const href = await one.href('no-h265', 'mp3');
    const response = await request(other, href, '192.0.2.20');
    const stopped = converter.stop();
    const bytes = await bytesOf(response);
    expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
    expect(await stopped).toBe(0);
    const alone = await request(one, await one.href('he-aac', 'mp3'), '192.0.2.21');
    expect(readMp3(await bytesOf(alone)).frames).toBeGreaterThan(30);
  });
});

test('a converter without Redis, or without allowed jobs, says so in one line', async () => {
  const startError = (env: Record<string, string>) =>
    startProduct({ main: 'src/app/jobs.js', env }).then(
      () => 'started',
      (error: Error) => error.message,
    );
  expect(await startError({})).toMatch(/before it was ready: REDIS_URL: [^\n]+\n$/);
  expect(await startError({ REDIS_URL: 'redis://127.0.0.1:1', CONVERSIONS: '0' })).toMatch(
    /before it was ready: CONVERSIONS: [^\n]+\n$/,
  );
});
