import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRateLimits } from '../../../server/http/limits/visitor-limits.ts';
import { describeRateLimits } from '../../../server/http/testing/rate-limits-suite.ts';
import { openFaultyLine } from '../../contracts/testing/services/faulty-line.ts';
import { hasRedis, makeRedisPlace } from '../../contracts/testing/services/redis-places.ts';
import { countHere } from '../../embedded/rate-counters.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisCounters } from './rate-counters.ts';
import { openTestRedis } from './testing/test-redis.ts';

const countersOn = (redis: RedisConnection) => createRedisCounters(redis, countHere);

describe.skipIf(!hasRedis)('with Redis', () => {
  describeRateLimits('on Redis', async () => {
    const place = await makeRedisPlace();
    const [one, other] = await Promise.all([openTestRedis(place), openTestRedis(place)]);
    return {
      one: countersOn(one),
      other: countersOn(other),
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

  test('count for this instance alone, without long waits, and together again afterwards', async () => {
    const place = await makeRedisPlace();
    ends.push(place.remove);
    const line = await openFaultyLine(place);
    ends.push(line.close);
    const [here, there] = await Promise.all([
      openTestRedis({ ...place, port: line.port }),
      openTestRedis(place),
    ]);
    ends.push(here.close, there.close);
    const limit = createRateLimits(countersOn(here)).create('a', 2);
    const elsewhere = createRateLimits(countersOn(there)).create('a', 2);
    const visitor = { key: 'v', block: 'b' };

    line.lose();
    await limit(visitor);
    await limit(visitor);
    await expect(limit(visitor)).rejects.toMatchObject({ key: 'rate_limited' });

    line.resume();
    await vi.waitFor(() => expect(here.isAway).toBe(false), { timeout: 8000 });
    await limit(visitor);
    await elsewhere(visitor);
    await expect(limit(visitor)).rejects.toMatchObject({ key: 'rate_limited' });
  });

  test('take one call for the visitor and the block together', async () => {
    const place = await makeRedisPlace();
    ends.push(place.remove);
    const redis = await openTestRedis(place);
    ends.push(redis.close);
    const limit = createRateLimits(countersOn(redis)).create('a', 2);
    const visitor = { key: 'v', block: 'b' };
    await limit(visitor);
    const sent = vi.spyOn(await redis.call(async (client) => client), 'sendCommand');
    await limit(visitor);
    expect(sent).toHaveBeenCalledOnce();
  });

  test('count here when the server answers but refuses', async () => {
    const place = await makeRedisPlace();
    ends.push(place.remove);
    const redis = await openTestRedis(place);
    ends.push(redis.close);
    const visitor = { key: 'v', block: 'b' };
    // The value under the visitor's name is not a number.
    await redis.call((client) => client.hset(`${redis.name('limit', 'a-visitor')}:v`, 'x', '1'));
    const limit = createRateLimits(countersOn(redis)).create('a', 1);
    await limit(visitor);
    await expect(limit(visitor)).rejects.toMatchObject({ key: 'rate_limited' });
  });
});
