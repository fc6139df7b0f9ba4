import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeDistributedSingleFlight } from '../../contracts/testing/distributed-single-flight-suite.ts';
import { hasRedis, makeRedisPlace } from '../../contracts/testing/services/redis-places.ts';
import type { RedisConnection } from './connection.ts';
import { RedisSingleFlight } from './single-flight.ts';
import { type NearAndFar, openNearAndFar, openTestRedis } from './testing/test-redis.ts';

const workOn = (redis: RedisConnection) => new RedisSingleFlight(redis, 'answers');

describe.skipIf(!hasRedis)('with Redis', () => {
  describeDistributedSingleFlight('on Redis', async () => {
    const place = await makeRedisPlace();
    const [one, other] = await Promise.all([openTestRedis(place), openTestRedis(place)]);
    return {
      one: workOn(one),
      other: workOn(other),
      async close() {
        await Promise.all([one.close(), other.close()]);
        await place.remove();
      },
    };
  });

  describe('behind a bad line', () => {
    let place: NearAndFar;
    const forever = new AbortController().signal;

    beforeEach(async () => {
      place = await openNearAndFar();
    });
    afterEach(() => place.close());

    test('each caller works alone', async () => {
      place.line.lose();
      const results = await Promise.all(
        ['a', 'b', 'a'].map((key) =>
          workOn(place.far).run(key, forever, async () => ({ text: key, keepMs: 1000 })),
        ),
      );
      expect(results.map(({ text }) => text)).toEqual(['a', 'b', 'a']);
    });

    test('a waiting caller works alone when the server goes away', async () => {
      const result = Promise.withResolvers<{ text: string; keepMs: number }>();
      const leading = workOn(place.near).run('a', forever, () => result.promise);
      await vi.waitFor(
        async () =>
          expect(
            await place.near.call((client) => client.exists(place.near.name('answers', 'lease', 'a'))),
          ).toBe(1),
        15_000,
      );
      const following = workOn(place.far).run('a', forever, async () => ({ text: 'mine', keepMs: 1000 }));
      place.line.lose();
      expect((await following).text).toBe('mine');
      result.resolve({ text: 'theirs', keepMs: 1000 });
      expect((await leading).text).toBe('theirs');
    });

    test('another caller does the work of a dead one', async () => {
      const dying = workOn(place.far).run('a', forever, () => new Promise(() => {}));
      dying.catch(() => {});
      await vi.waitFor(
        async () =>
          expect(
            await place.near.call((client) => client.exists(place.near.name('answers', 'lease', 'a'))),
          ).toBe(1),
        15_000,
      );
      place.line.lose();
      expect(
        (await workOn(place.near).run('a', forever, async () => ({ text: 'next', keepMs: 1000 }))).text,
      ).toBe('next');
    });

    test('a worker that continues while the server is away still has the result', async () => {
      const result = Promise.withResolvers<{ text: string; keepMs: number }>();
      const leading = workOn(place.far).run('a', forever, () => result.promise);
      await vi.waitFor(
        async () =>
          expect(
            await place.near.call((client) => client.exists(place.near.name('answers', 'lease', 'a'))),
          ).toBe(1),
        15_000,
      );
      place.line.reset();
      result.resolve({ text: 'done', keepMs: 1000 });
      expect(await leading).toEqual({ text: 'done', isShared: false });
    });
  });
});
