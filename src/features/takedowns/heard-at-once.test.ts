import { pino } from 'pino';
import { vi } from 'vitest';
import { announceChange } from '../../stores/open/redis.ts';
import { describeRedisInstances } from '../../stores/open/testing/redis-instances.ts';
import { watchTakedowns } from './server.ts';
import { createTakedowns } from './takedowns.ts';

const silent = pino({ level: 'silent' });

describeRedisInstances('a takedown holds on each', async ({ database, environment, instances }, defer) => {
  const lists = await Promise.all(
    instances.map((redis) => watchTakedowns(database, redis, silent, () => {})),
  );
  for (const { close } of lists) defer(close);
  await createTakedowns(database.query, Date.now).add(
    { kind: 'post', name: 'tiktok/1' },
    { url: 'https://x.test/1', reason: '', endsAt: null },
  );
  await announceChange(environment, 'takedowns', silent);
  const isHeard = () => lists.every(({ has }) => has({ platform: 'tiktok', id: '1', handle: null }));
  await vi.waitUntil(isHeard, 10_000);
});
