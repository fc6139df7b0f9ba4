import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type S3Double, startS3Double } from '../../doubles/s3/server.ts';
import type { ErrorResponse } from '../../src/site/api.ts';
import { canHaveInstances, type Instances, prepareInstances } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import { hasFfmpeg, probeVideo } from '../support/probe.ts';
import type { RunningProduct } from '../support/product.ts';
import { until } from '../support/until.ts';
import { readZip } from '../support/zip.ts';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/**
 * Two instances and a converter, with Redis, PostgreSQL and S3: either instance may have to make what the other was
 * asked for.
 */
describe.skipIf(!canHaveInstances || !hasFfmpeg)('zips, parts and slideshows on several machines', () => {
  let instances: Instances;
  let s3: S3Double;
  let one: Journey;
  let other: Journey;
  let converter: RunningProduct;

  beforeAll(async () => {
    [instances, s3] = await Promise.all([prepareInstances(), startS3Double()]);
    const env = { CONVERSIONS: '0', TRUST_PROXY: '127.0.0.1', ...s3.environment };
    [one, other, converter] = await Promise.all([
      instances.start(env),
      instances.start(env),
      instances.startConverter({ CONVERSIONS: '2', ...s3.environment }),
    ]);
    // An instance that was asked before the converter was there reports for five seconds that nobody makes videos.
    await until('converters are known', async () => {
      const { answer } = await one.resolve('photos-no-sound');
      return 'result' in answer && answer.result.options.some(({ id }) => id === 'mp4-slideshow');
    });
  });
  afterAll(async () => {
    await instances?.stop();
    await s3?.close();
  });
  afterEach(async () => {
    await instances.platform.reset();
    // Whatever was requested and however it ended: nothing is fetched or made without a reader.
    await until('no transfer', async () => (await instances.platform.stats()).transfers.open === 0);
    await until(
      'nothing is made',
      async () => (await converter.metric('clipferry_conversions', { state: 'running' })) === 0,
    );
    await until(
      'no job is left',
      async () => (await one.product.metric('clipferry_conversion_jobs', { state: 'active' })) === 0,
    );
  });

  const request = (journey: Journey, path: string, visitor: number, init: RequestInit = {}) =>
    journey.get(path, { ...init, headers: { 'x-forwarded-for': `198.51.100.${visitor}` } });
  const stateOf = async (journey: Journey, href: string) =>
    ((await (await journey.get(`${href}/status`)).json()) as { result: { state: string } }).result.state;
  const keyOf = async (response: Response) => ((await response.json()) as ErrorResponse).error.key;
  const made = (outcome: string) => converter.metric('clipferry_conversions_ended_total', { outcome });
  async function zipOf(journey: Journey, files: readonly (readonly [post: string, option: string])[]) {
    const hrefs: string[] = [];
    for (const [post, option] of files) hrefs.push(await journey.href(post, option));
    return `/api/files/zip?${hrefs.map((href) => `file=${href.replace('/api/files/', '')}`).join('&')}`;
  }
  /** Alternates between the first one of the two and the other one. */
  const byTurns = (n: number) => (n % 2 === 0 ? one : other);

  test('a zip whose second file breaks off permanently ends broken on either machine; without that file, the rest is whole', async () => {
    const files = [
      ['ordinary', 'mp4'],
      ['early-close-always', 'mp4'],
      ['only-576', 'mp3'],
    ] as const;
    const broken = await zipOf(one, files);
    for (const journey of [one, other]) {
      const response = await request(journey, broken, 1);
      expect(response.status).toBe(200);
      await expect(response.arrayBuffer()).rejects.toThrow();
    }
    const rest = await zipOf(
      one,
      files.filter(([post]) => post !== 'early-close-always'),
    );
    const [here, there] = await Promise.all(
      [one, other].map(async (journey, n) => readZip(await bytesOf(await request(journey, rest, 2 + n)))),
    );
    expect(here?.map(({ bytes }) => digest(bytes))).toEqual(there?.map(({ bytes }) => digest(bytes)));
    expect(here).toHaveLength(2);
  });

  test('a zip names its second file as missing when the platform is away at its turn', async () => {
    const files = [
      ['ordinary', 'mp4'],
      ['all-hosts-refuse', 'mp4'],
      ['photos', 'zip'],
    ] as const;
    const names = readZip(await bytesOf(await request(other, await zipOf(one, files), 4))).map(
      ({ name }) => name,
    );
    expect(names.at(-1)).toBe('missing.txt');
    expect(names.filter((name) => name.endsWith('.mp4'))).toHaveLength(1);
  });

  const beyond = [
    ['mp4', 'from=99&to=120'],
    ['mp3', 'from=99&to=120'],
    ['m4a', 'from=99&to=120'],
    ['mp3', 'from=99&ringtone=1'],
    ['mp4', 'from=5&to=3'],
  ] as const;
  test.each(beyond)(
    'a part of an %s beyond its end (%s) is refused on both, and leaves no file',
    async (option, query) => {
      const objects = s3.bucket.objects.size;
      const href = `${await one.href('ordinary', option)}?${query}`;
      for (const [n, journey] of [one, other].entries()) {
        const response = await request(journey, href, 10 + n);
        expect([response.status, await keyOf(response)]).toEqual([422, 'cut_invalid']);
      }
      expect(s3.bucket.objects.size).toBe(objects);
    },
  );

  test('a part that ends beyond the end contains what is there, the same on both', async () => {
    for (const option of ['mp4', 'mp3']) {
      const href = `${await one.href('ordinary', option)}?from=5&to=99`;
      const parts = await Promise.all(
        [one, other].map(async (journey, n) => bytesOf(await request(journey, href, 12 + n))),
      );
      expect(new Set(parts.map(digest)).size).toBe(1);
      expect(parts[0]?.length).toBeGreaterThan(10_000);
    }
  });

  test('a slideshow leaves out unusable pictures, and fails when all pictures are refused', async () => {
    const faulty = await one.href('pictures-of-all-faults', 'mp4-slideshow');
    const mp4 = await bytesOf(await request(other, faulty, 20));
    expect(probeVideo(mp4).durationS).toBeCloseTo(20, 1);
    const refused = await other.href('pictures-refused', 'mp4-slideshow');
    const response = await request(one, refused, 21);
    expect([response.status, await keyOf(response)]).toEqual([502, 'media_unavailable']);
  });

  test('ten simultaneous visitors on both get the same bytes of everything, and each file is made once', async () => {
    const before = await made('done');
    const slideshow = await one.href('photos-one', 'mp4-slideshow');
    const ringtone = `${await one.href('long-60s', 'mp3')}?from=12&ringtone=1`;
    const part = `${await one.href('long-60s', 'mp4')}?from=12&to=20`;
    for (const href of [slideshow, ringtone, part]) {
      const files = await Promise.all(
        Array.from({ length: 10 }, async (_, n) => {
          const response = await request(byTurns(n), href, 30 + n);
          expect(response.status).toBe(200);
          return digest(await bytesOf(response));
        }),
      );
      expect(new Set(files).size).toBe(1);
    }
    await until('both are made', async () => (await made('done')) === before + 2);
    const packed = await zipOf(one, [
      ['ordinary', 'mp4'],
      ['very-short', 'mp3'],
    ]);
    const zips = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const entries = readZip(await bytesOf(await request(byTurns(n), packed, 30 + n)));
        return entries.map(({ bytes }) => digest(bytes)).join();
      }),
    );
    expect(new Set(zips).size).toBe(1);
  });

  /** The points at which a visitor gives up, each with a file that does not exist yet. */
  const places: readonly (readonly [where: string, post: string, option: string, state: RegExp])[] = [
    ['while a slideshow is made', 'photos-35', 'mp4-slideshow', /converting/],
    ['while the sound of a part arrives', 'ten-minutes', 'mp3?from=10&to=400', /reading|converting/],
    ['while an m4a arrives', 'ten-minutes', 'm4a', /reading|converting/],
  ];
  test.each(places)('cancelling %s on the other instance ends it', async (_, post, wanted, state) => {
    await instances.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 1_500_000 } } });
    const before = await made('cancelled');
    const [option = '', query] = wanted.split('?');
    const plain = await one.href(post, option);
    const withQuery = (path: string) => (query === undefined ? path : `${path}?${query}`);
    const answer = request(one, withQuery(plain), 50).then(bytesOf);
    answer.catch(() => {});
    const status = withQuery(`${plain}/status`);
    await until('it is made', async () => {
      const logged = (await (await other.get(status)).json()) as { result: { state: string } };
      return state.test(logged.result.state);
    });
    const cancelled = await request(other, status, 50, { method: 'DELETE' });
    expect(await cancelled.json()).toMatchObject({ result: { cancelled: true } });
    await until('the converter has stopped', async () => (await made('cancelled')) === before + 1);
    await answer.catch(() => {});
  });

  test('leaving a zip in the middle ends the conversion that it waits for', async () => {
    await instances.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 1_500_000 } } });
    const packed = await zipOf(one, [
      ['very-short', 'mp4'],
      ['ten-minutes', 'mp3'],
    ]);
    const sound = await one.href('ten-minutes', 'mp3');
    const leaving = new AbortController();
    const left = request(one, packed, 60, { signal: leaving.signal }).then(bytesOf);
    left.catch(() => {});
    await until('its sound is made', async () => /reading|converting/.test(await stateOf(other, sound)));
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until('it has ended', async () => /idle|cancelled/.test(await stateOf(other, sound)));
  });

  test('killing an instance in the middle of a zip affects neither the other nor finished files', async () => {
    const third = await instances.start({ CONVERSIONS: '0', TRUST_PROXY: '127.0.0.1', ...s3.environment });
    await instances.platform.configure({ posts: { 'long-60s': { bandwidthBps: 4_000_000 } } });
    const packed = await zipOf(one, [
      ['long-60s', 'mp4'],
      ['only-576', 'mp3'],
    ]);
    const response = await request(third, packed, 70);
    const broken = response.arrayBuffer();
    broken.catch(() => {});
    await third.product.stop('SIGKILL');
    await expect(broken).rejects.toThrow();
    await instances.platform.reset();
    expect(readZip(await bytesOf(await request(other, packed, 71)))).toHaveLength(2);
  });
});
