import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noteChanges } from '../../../content/writing/changes.ts';
import { engines } from '../../../stores/contracts/testing/services/databases.ts';
import { hasRedis } from '../../../stores/contracts/testing/services/redis-places.ts';
import { announceChange } from '../../../stores/open/redis.ts';
import { openRedisInstances, timeUntil } from '../../../stores/open/testing/redis-instances.ts';
import { createPageCache } from '../../../web/page-cache/in-process.ts';
import { readSiteConfiguration } from '../read-site-configuration.ts';
import { assembleContentWork } from './content-work.ts';

/** The promise for every instance. */
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

  test('what an import has changed is dropped on each within a second', async () => {
    const { database, environment, instances } = await openRedisInstances(engine, ends);
    const configuration = readSiteConfiguration('site.config.json');
    const drops = await Promise.all(
      instances.map(async (redis) => {
        const work = await assembleContentWork(database, configuration, redis, silent);
        ends.push(work.close);
        const dropped = vi.fn();
        work.watch(createPageCache(2 ** 20), dropped);
        return dropped;
      }),
    );
    const change = { subject: 'article', locale: '', name: '*' } as const;
    await database.query
      .transaction()
      .execute((transaction) => noteChanges(transaction, database.engine, [change], Date.now()));
    await announceChange(environment, 'content', silent);
    const areDropped = () => drops.every((dropped) => dropped.mock.calls.length > 0);
    expect(await timeUntil(areDropped, mostMs)).toBeLessThan(mostMs);
  });
});
