import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SharedTexts } from '../../contracts/shared-texts.ts';
import { type FaultyLine, openFaultyLine } from '../../contracts/testing/faulty-line.ts';
import { hasRedis, makeRedisPlace, type RedisPlace } from '../../contracts/testing/redis-places.ts';
import { describeSharedTexts } from '../../contracts/testing/shared-texts-suite.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisTexts } from './shared-texts.ts';
import { openTestRedis } from './testing/open-test-redis.ts';

const textsOn = (redis: RedisConnection) =>
  createRedisTexts({
    redis,
    space: 'pages',
    maxBytes: 10_000,
    onError(error) {
      throw error;
    },
  });

describe.skipIf(!hasRedis)('with Redis', () => {
  describeSharedTexts('on Redis', async () => {
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
    let place: RedisPlace;
    let line: FaultyLine;
    let far: RedisConnection;
    let near: RedisConnection;
    let one: SharedTexts;
    let other: SharedTexts;

    beforeEach(async () => {
      place = await makeRedisPlace();
      line = await openFaultyLine(place);
      [far, near] = await Promise.all([openTestRedis({ ...place, port: line.port }), openTestRedis(place)]);
      one = textsOn(far);
      other = textsOn(near);
      await vi.waitFor(() => expect([one.drops, other.drops]).not.toContain(null));
      await other.keep('a', { text: Buffer.from('old'), label: '' }, 60_000, other.drops);
    });
    afterEach(async () => {
      await Promise.all([far.close(), near.close()]);
      await line.close();
      await place.remove();
    });

    test('nothing is found and nothing fails; what was dropped meanwhile is gone everywhere afterwards', async () => {
      line.lose();
      const since = performance.now();
      expect(await one.get('a')).toBeNull();
      expect(await one.labels()).toEqual(new Map());
      await one.keep('b', { text: Buffer.from('x'), label: '' }, 60_000, 0);
      expect(await one.drop({ keys: ['a'] })).toBe(0);
      expect(one.drops).toBeNull();
      expect(performance.now() - since).toBeLessThan(3000);
      const heard = vi.fn();
      other.onDrop(heard);
      line.resume();
      await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('all'), { timeout: 8000 });
      expect(await one.get('a')).toBeNull();
      expect(await other.get('a')).toBeNull();
    });

    test('who heard nothing for a while is told that anything may have been dropped', async () => {
      const heard = vi.fn();
      one.onDrop(heard);
      line.lose();
      await one.get('a');
      await other.drop({ keys: ['a'] });
      line.resume();
      await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('all'), { timeout: 8000 });
      await vi.waitFor(() => expect(one.drops).toBe(other.drops));
    });

    test('a server that lost everything is filled again', async () => {
      await other.drop('all');
      await vi.waitFor(() => expect(one.drops).toBe(1));
      await near.call((client) => client.flushall());
      line.reset();
      await vi.waitFor(() => expect(one.drops).toBe(0), { timeout: 8000 });
      await one.keep('a', { text: Buffer.from('new'), label: '' }, 60_000, one.drops);
      expect((await one.get('a'))?.text.toString()).toBe('new');
    });
  });
});
