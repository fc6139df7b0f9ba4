import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noteChanges } from '../../content/writing/changes.ts';
import { watchTakedowns } from '../../features/takedowns/part.ts';
import { createTakedowns } from '../../features/takedowns/takedowns.ts';
import { readEnvironment } from '../../process/environment.ts';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/databases.ts';
import { hasRedis, makeRedisPlace } from '../../stores/contracts/testing/redis-places.ts';
import { announceChange, openSharedRedis, type SharedRedis } from '../../stores/open/redis.ts';
import { createPageCache } from '../../web/page-cache/in-process.ts';
import { assembleContentWork } from './content.ts';
import { readSiteConfiguration } from './read-site-configuration.ts';

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

  async function prepare() {
    const { database, [Symbol.asyncDispose]: remove } = await openFreshDatabase(engine);
    ends.push(async () => remove());
    const place = await makeRedisPlace();
    ends.push(place.remove);
    const environment = readEnvironment({ ...place.environment, SECRET_KEY: 'x'.repeat(32) });
    const instances: SharedRedis[] = [];
    for (let n = 0; n < 3; n += 1) {
      const redis = await openSharedRedis(environment, new Registry(), silent);
      if (redis === null) throw new Error('no Redis');
      instances.push(redis);
      ends.push(redis.close);
    }
    return { database, environment, instances };
  }

  /** How long it takes until something is so, in ms. */
  async function timed(isSo: () => boolean): Promise<number> {
    const since = performance.now();
    while (!isSo() && performance.now() - since < 2 * mostMs) await pause(5);
    return performance.now() - since;
  }

  test('a takedown holds on each within a second', async () => {
    const { database, environment, instances } = await prepare();
    const lists = await Promise.all(instances.map((redis) => watchTakedowns(database, redis, silent)));
    for (const { close } of lists) ends.push(close);
    await createTakedowns(database.query, Date.now).add(
      { kind: 'post', name: 'tiktok/1' },
      { url: 'https://x.test/1', reason: '', endsAt: null },
    );
    await announceChange(environment, 'takedowns', silent);
    expect(
      await timed(() => lists.every(({ has }) => has({ platform: 'tiktok', id: '1', handle: null }))),
    ).toBeLessThan(mostMs);
  });

  test('what an import has changed is dropped on each within a second', async () => {
    const { database, environment, instances } = await prepare();
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
    expect(await timed(() => drops.every((dropped) => dropped.mock.calls.length > 0))).toBeLessThan(mostMs);
  });
});
