import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SharedCache } from '../../contracts/shared-cache.ts';
import { hasRedis, makeRedisPlace } from '../../contracts/testing/services/redis-places.ts';
import { describeSharedCache } from '../../contracts/testing/shared-cache-suite.ts';
import type { RedisConnection } from './connection.ts';
import { RedisCache } from './shared-cache.ts';
import { type NearAndFar, openNearAndFar, openTestRedis } from './testing/test-redis.ts';

const textsOn = (redis: RedisConnection) => new RedisCache(redis, 'pages', 10_000);

describe.skipIf(!hasRedis)('with Redis', () => {
  describeSharedCache('on Redis', async () => {
    const place = await makeRedisPlace();
    const [one, other] = await Promise.all([openTestRedis(place), openTestRedis(place)]);
    return {
      one: textsOn(one),
      other: textsOn(other),
      async close() {
        await Promise.all([one.close(), other.close()]);
        await place.remove();
      },
    };
  });

  describe('behind a bad line', () => {
    let place: NearAndFar;
    let one: SharedCache;
    let other: SharedCache;

    beforeEach(async () => {
      place = await openNearAndFar();
      one = textsOn(place.far);
      other = textsOn(place.near);
      await vi.waitFor(() => expect([one.generation, other.generation]).not.toContain(null), 15_000);
      await other.keep('a', { text: Buffer.from('old'), label: '' }, 60_000, other.generation);
    });
    afterEach(() => place.close());

    test('finds nothing and fails nothing; what was dropped meanwhile is gone everywhere afterwards', async () => {
      place.line.lose();
      expect(await one.get('a')).toBeNull();
      expect(await one.labels()).toEqual(new Map());
      await one.keep('b', { text: Buffer.from('x'), label: '' }, 60_000, 0);
      expect(await one.drop({ keys: ['a'] })).toBe(0);
      expect(one.generation).toBeNull();
      const onDropped = vi.fn();
      other.onDrop(onDropped);
      place.line.resume();
      await vi.waitFor(() => expect(onDropped).toHaveBeenCalledWith('all'), { timeout: 8000 });
      expect(await one.get('a')).toBeNull();
      expect(await other.get('a')).toBeNull();
    });

    test('tells an instance that was disconnected that anything may have been dropped', async () => {
      const onDropped = vi.fn();
      one.onDrop(onDropped);
      place.line.lose();
      await one.get('a');
      await other.drop({ keys: ['a'] });
      place.line.resume();
      await vi.waitFor(() => expect(onDropped).toHaveBeenCalledWith('all'), { timeout: 8000 });
      await vi.waitFor(() => expect(one.generation).toBe(other.generation), 15_000);
    });

    test('fills a server again that lost everything', async () => {
      await other.drop('all');
      await vi.waitFor(() => expect(one.generation).toBe(1), 15_000);
      await place.near.call((client) => client.flushall());
      place.line.reset();
      await vi.waitFor(() => expect(one.generation).toBe(0), { timeout: 8000 });
      await one.keep('a', { text: Buffer.from('new'), label: '' }, 60_000, one.generation);
      expect((await one.get('a'))?.text.toString()).toBe('new');
    });
  });
});
