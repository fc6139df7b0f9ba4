import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editArticle } from '../support/articles.ts';
import { runCli } from '../support/cli.ts';
import { canHaveInstances, type Instances, prepareInstances } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import { until } from '../support/until.ts';

describe.skipIf(!canHaveInstances)('two instances with Redis and PostgreSQL', () => {
  let instances: Instances;
  let one: Journey;
  let other: Journey;

  beforeAll(async () => {
    instances = await prepareInstances();
    const env = { RESOLVES_PER_MINUTE: '150' };
    [one, other] = await Promise.all([instances.start(env), instances.start(env)]);
  });
  afterAll(() => instances?.stop());

  const cli = (...words: string[]) => runCli(words, instances.environment);
  const textOf = async (journey: Journey, path: string) => (await journey.get(path)).text();
  const cached = (journey: Journey, result: string) =>
    journey.product.metric('clipferry_page_cache_total', { result });

  // The operator's command yields to other processes on a busy machine.
  test('one gets a page that the other made; both see an import, which drops only the pages it changed', {
    timeout: 120_000,
  }, async () => {
    const slug = 'mp3-or-m4a';
    for (const path of [`/${slug}`, '/contact']) await textOf(one, path);
    await until('the other finds them', async () => {
      await textOf(other, `/${slug}`);
      return (await cached(other, 'hit')) > 0;
    });
    expect(await textOf(other, `/${slug}`)).toBe(await textOf(one, `/${slug}`));
    await textOf(other, '/contact');

    const folder = editArticle(slug, 'A new title for it');
    expect((await cli('posts', 'import', folder)).output).toContain('0 new, 1 changed');
    rmSync(folder, { recursive: true });
    for (const journey of [one, other])
      await until('the page shows it', async () =>
        (await textOf(journey, `/${slug}`)).includes('A new title for it'),
      );
    const before = [await cached(one, 'miss'), await cached(other, 'miss')];
    for (const journey of [one, other]) await textOf(journey, '/contact');
    expect([await cached(one, 'miss'), await cached(other, 'miss')]).toEqual(before);
  });

  test('a takedown stops downloads on both', async () => {
    await instances.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } });
    const href = await one.href('ten-minutes', 'mp4');
    const downloads = await Promise.all(
      [one, other].map(async (journey) => {
        const response = await journey.get(href);
        expect(response.status).toBe(200);
        return {
          response,
          end: response.arrayBuffer().then(
            () => 'whole',
            () => 'broken off',
          ),
        };
      }),
    );
    expect((await cli('takedown', 'add', instances.platform.link('ten-minutes'))).code).toBe(0);
    for (const { end } of downloads) expect(await end).toBe('broken off');
    for (const journey of [one, other])
      await until('it is refused', async () => (await journey.resolve('ten-minutes')).status === 451);
    expect((await cli('takedown', 'remove', instances.platform.link('ten-minutes'))).code).toBe(0);
  });

  test('a post that many request on both is read once, and one knows what the other learned', async () => {
    const reads = async () => {
      const counts = [one, other].map(({ product }) =>
        product.metric('clipferry_resolves_total', { source: 'read' }),
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    };
    const before = await reads();
    const asked = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? one : other).resolve('numbered'));
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    expect(await reads()).toBe(before + 1);
    expect((await one.resolve('private-post')).status).toBe(403);
    expect((await other.resolve('private-post')).status).toBe(403);
    expect(await reads()).toBe(before + 2);
  });

  test('an instance without conversions lets another one convert', async () => {
    const without = await instances.start({ CONVERSIONS: '0' });
    const ended = ({ product }: Journey) =>
      product.metric('clipferry_conversions_ended_total', { outcome: 'done' });
    const file = await without.get(await without.href('landscape', 'mp3'));
    expect(file.status).toBe(200);
    expect((await file.arrayBuffer()).byteLength).toBe(Number(file.headers.get('content-length')));
    await until('one of both made it', async () => (await ended(one)) + (await ended(other)) === 1);
    expect(await ended(without)).toBe(0);
  });

  test('a visitor has one allowance on both', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 151 && statuses.at(-1) !== 429; n += 1)
      statuses.push((await (n % 2 === 0 ? one : other).resolve('ordinary')).status);
    expect(statuses.at(-1)).toBe(429);
    for (const journey of [one, other]) expect((await journey.resolve('ordinary')).status).toBe(429);
  });

  test('both report that they are ready, and with what', async () => {
    for (const journey of [one, other]) {
      expect(await textOf(journey, '/readyz')).toBe('ready\n');
      expect(await journey.product.metric('clipferry_redis_up')).toBe(1);
    }
  });
});
