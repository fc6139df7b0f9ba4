import { describe, expect, test, vi } from 'vitest';
import type { ConversionState } from '../../../contracts/conversion-store.ts';
import { describeConversionStore } from '../../../contracts/testing/conversion-store-suite.ts';
import { hasRedis, makeRedisPlace } from '../../../contracts/testing/services/redis-places.ts';
import { createConversionStore } from '../../../embedded/conversion-store.ts';
import type { RedisConnection } from '../connection.ts';
import { openNearAndFar, openTestRedis } from '../testing/test-redis.ts';
import { createRedisConversionStore } from './conversion-store.ts';

const storeOn = (redis: RedisConnection) =>
  createRedisConversionStore(redis, createConversionStore({ now: () => performance.now() }));

const reading: ConversionState = { state: 'reading', ahead: null, fraction: 0, bytes: null, error: null };

/** Ages everything on the server that expires by this much. */
async function age({ call, name }: RedisConnection, ms: number): Promise<void> {
  const client = await call(async (own) => own);
  for (const key of await client.keys(name('*'))) {
    const left = await client.pttl(key);
    if (left > ms) await client.pexpire(key, left - ms);
    else if (left >= 0) await client.del(key);
  }
}

describe.skipIf(!hasRedis)('with Redis', () => {
  describeConversionStore('on Redis', async () => {
    const place = await makeRedisPlace();
    const [one, other] = await Promise.all([openTestRedis(place), openTestRedis(place)]);
    return {
      one: storeOn(one),
      other: storeOn(other),
      pass: (ms) => age(one, ms),
      async close() {
        await Promise.all([one.close(), other.close()]);
        await place.remove();
      },
    };
  });

  test('an instance that lost the server continues alone, and a dead one is silent', async () => {
    const { far, near, line, close } = await openNearAndFar();
    const [lost, there] = [storeOn(far), storeOn(near)];
    await lost.begin('a', { state: () => reading, cancel: () => true });
    expect(await there.state('a')).toEqual(reading);
    line.lose();
    expect(await lost.state('a')).toEqual(reading);
    expect(await lost.cancel('a', 'mine')).toBe(true);
    await vi.waitFor(async () => expect(await there.state('a')).toBeNull(), 6000);
    line.resume();
    await vi.waitFor(async () => expect(await there.state('a')).toEqual(reading), 6000);
    await close();
  });
});
