import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { engines } from '../../stores/contracts/testing/services/databases.ts';
import { hasRedis } from '../../stores/contracts/testing/services/redis-places.ts';
import { announceChange } from '../../stores/open/redis.ts';
import { openRedisInstances, timeUntil } from '../../stores/open/testing/redis-instances.ts';
import { watchTakedowns } from './part.ts';
import { createTakedowns } from './takedowns.ts';

/** What is promised of every instance. */
const mostMs = 1000;
const silent = pino({ level: 'silent' });

describe.skipIf(!hasRedis).each(engines)('instances with Redis and $name', (engine) => {
  const ends: (() => Promise<unknown>)[] = [];
  // The look at the database each second never comes: what is heard of is heard of by Redis.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    vi.useRealTimers();
  });

  test('a takedown holds on each within a second', async () => {
    const { database, environment, instances } = await openRedisInstances(engine, ends);
    const lists = await Promise.all(instances.map((redis) => watchTakedowns(database, redis, silent)));
    for (const { close } of lists) ends.push(close);
    await createTakedowns(database.query, Date.now).add(
      { kind: 'post', name: 'tiktok/1' },
      { url: 'https://x.test/1', reason: '', endsAt: null },
    );
    await announceChange(environment, 'takedowns', silent);
    const isHeard = () => lists.every(({ has }) => has({ platform: 'tiktok', id: '1', handle: null }));
    expect(await timeUntil(isHeard, mostMs)).toBeLessThan(mostMs);
  });
});
