import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { canHaveInstances, type Instances, startWithConverters } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import type { RunningProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

/** Ten times the delay when a Redis returns. */
const wholeAgainMs = 30_000;

describe.skipIf(!canHaveInstances)('losing Redis while converters make files', () => {
  let instances: Instances;
  let one: Journey;
  let other: Journey;
  let converters: RunningProduct[];

  beforeAll(async () => {
    ({ instances, one, other, converters } = await startWithConverters(2));
  });
  afterAll(() => instances?.stop());
  afterEach(() => instances.platform.reset());

  const slow = (post: string, bandwidthBps: number) =>
    instances.platform.configure({ posts: { [post]: { bandwidthBps } } });
  const readiness = async ({ get }: Journey) => (await get('/readyz')).text();

  test.each(['stall', 'lose', 'reset'] as const)(
    'when Redis goes in the middle (%s), the file is still complete, and the queue soon returns',
    async (how) => {
      const post = { stall: 'long-60s', lose: 'long-60s-hd', reset: 'moov-last' }[how];
      await slow(post, 3_000_000);
      const href = await one.href(post, 'mp3');
      const response = await one.get(href);
      expect(response.status).toBe(200);
      instances.line[how]();
      if (how === 'reset') instances.line.stall();
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
      // Requests during that time are handled here, and nobody waits for Redis.
      const since = performance.now();
      const meanwhile = await other.get(await other.href('very-short', how === 'stall' ? 'mp3' : 'm4a'));
      expect(meanwhile.status).toBe(200);
      await meanwhile.arrayBuffer();
      expect(performance.now() - since).toBeLessThan(30_000);
      await until('it says so', async () => (await readiness(one)) === 'ready, without Redis\n');

      instances.line.resume();
      const back = performance.now();
      const asked = { stall: 'landscape', lose: 'no-h265', reset: 'only-576' }[how];
      for (const journey of [one, other])
        await until('it is back', async () => (await readiness(journey)) === 'ready\n');
      await until('there are converters', async () => {
        return (await one.product.metric('clipferry_conversion_jobs', { state: 'places' })) === 2;
      });
      expect(performance.now() - back).toBeLessThan(wholeAgainMs);
      const before = await Promise.all(
        converters.map((each) => each.metric('clipferry_conversions_ended_total')),
      );
      expect(
        (await (await other.get(await one.href(asked, 'mp3'))).arrayBuffer()).byteLength,
      ).toBeGreaterThan(0);
      await until('a converter made it', async () => {
        const ended = await Promise.all(
          converters.map((each) => each.metric('clipferry_conversions_ended_total')),
        );
        return ended.some((count, n) => count > (before[n] ?? 0));
      });
    },
  );

  test('a converter stops while Redis is away, also a busy one', async () => {
    await slow('ten-minutes', 1_000_000);
    const left = new AbortController();
    const asked = one.get(await one.href('ten-minutes', 'mp3'), { signal: left.signal }).catch(() => {});
    await until('one is at work', async () => {
      return (await one.product.metric('clipferry_conversion_jobs', { state: 'active' })) === 1;
    });
    instances.line.lose();
    const since = performance.now();
    for (const code of await Promise.all(converters.map((each) => each.stop()))) expect(code).toBe(0);
    expect(performance.now() - since).toBeLessThan(30_000);
    left.abort();
    await asked;
  });
});
