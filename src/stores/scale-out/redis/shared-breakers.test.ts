import { afterEach, describe, expect, test, vi } from 'vitest';
import { openFaultyLine } from '../../contracts/testing/services/faulty-line.ts';
import { hasRedis, makeRedisPlace } from '../../contracts/testing/services/redis-places.ts';
import { describeSharedBreakers } from '../../contracts/testing/shared-breakers-suite.ts';
import { createRedisBreakers } from './shared-breakers.ts';
import { openTestRedis } from './testing/test-redis.ts';

describe.skipIf(!hasRedis)('with Redis', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  describeSharedBreakers('on Redis', async () => {
    const place = await makeRedisPlace();
    const [one, other] = await Promise.all([openTestRedis(place), openTestRedis(place)]);
    return {
      one: createRedisBreakers(one),
      other: createRedisBreakers(other),
      async close() {
        await Promise.all([one.close(), other.close()]);
        await place.remove();
      },
    };
  });

  test('each instance tries for itself while the server is away, and learns afterwards what it missed', async () => {
    const place = await makeRedisPlace();
    ends.push(place.remove);
    const line = await openFaultyLine(place);
    ends.push(line.close);
    const [far, near] = await Promise.all([
      openTestRedis({ ...place, port: line.port }),
      openTestRedis(place),
    ]);
    ends.push(far.close, near.close);
    const [one, other] = [createRedisBreakers(far), createRedisBreakers(near)];
    const seen: (number | null)[] = [];
    one.watch('page', (open) => seen.push(open?.forMs ?? null));
    await vi.waitFor(() => expect(seen).toEqual([null]), 15_000);
    line.lose();
    expect(await one.beginTrial('page', 1000)).toBe(true);
    other.opened('page', 5000);
    line.resume();
    await vi.waitFor(() => expect(seen).toEqual([null, 5000]), { timeout: 8000 });
  });
});
