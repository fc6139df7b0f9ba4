import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRateLimits } from '../../../server/http/rate-limits.ts';
import { describeRateLimits } from '../../../server/http/testing/rate-limits-suite.ts';
import { openFaultyLine } from '../../contracts/testing/faulty-line.ts';
import { hasRedis, makeRedisPlace } from '../../contracts/testing/redis-places.ts';
import { createRedisCounter } from './rate-counters.ts';
import { openTestRedis } from './testing/open-test-redis.ts';

describe.skipIf(!hasRedis)('with Redis', () => {
  describeRateLimits('on Redis', async () => {
    const place = await makeRedisPlace();
    const [one, other] = await Promise.all([openTestRedis(place), openTestRedis(place)]);
    return {
      one: (...limit) => createRedisCounter(one, ...limit),
      other: (...limit) => createRedisCounter(other, ...limit),
      async close() {
        await Promise.all([one.close(), other.close()]);
        await place.remove();
      },
    };
  });
});

describe.skipIf(!hasRedis)('rate limits without their server', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  test('count for this instance alone, without making anybody wait for long, and together again afterwards', async () => {
    const place = await makeRedisPlace();
    ends.push(place.remove);
    const line = await openFaultyLine(place);
    ends.push(line.close);
    const [here, there] = await Promise.all([
      openTestRedis({ ...place, port: line.port }),
      openTestRedis(place),
    ]);
    ends.push(here.close, there.close);
    const limit = createRateLimits((...given) => createRedisCounter(here, ...given)).create('a', 2);
    const elsewhere = createRateLimits((...given) => createRedisCounter(there, ...given)).create('a', 2);
    const visitor = { key: 'v', block: 'b' };

    line.lose();
    const since = performance.now();
    await limit(visitor);
    await limit(visitor);
    await expect(limit(visitor)).rejects.toMatchObject({ key: 'rate_limited' });
    expect(performance.now() - since).toBeLessThan(3000);

    line.resume();
    await vi.waitFor(() => expect(here.isAway).toBe(false), { timeout: 8000 });
    await limit(visitor);
    await elsewhere(visitor);
    await expect(limit(visitor)).rejects.toMatchObject({ key: 'rate_limited' });
  });
});
