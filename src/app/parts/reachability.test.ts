import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { ObjectStore } from '../../stores/contracts/object-store.ts';
import { engines } from '../../stores/contracts/testing/services/databases.ts';
import { migrate } from '../../stores/migrate.ts';
import type { SharedRedis } from '../../stores/open/redis.ts';
import { reportReachability, watchDatabase } from './reachability.ts';

test('the metrics report whether each server responds', async () => {
  const metrics = new Registry();
  const redis = { isAway: false };
  const objects = { isAway: true };
  reportReachability(metrics, { redis: redis as SharedRedis, objects: objects as ObjectStore });
  expect(await metrics.getSingleMetricAsString('clipferry_redis_up')).toContain('clipferry_redis_up 1');
  expect(await metrics.getSingleMetricAsString('clipferry_s3_up')).toContain('clipferry_s3_up 0');
  redis.isAway = true;
  expect(await metrics.getSingleMetricAsString('clipferry_redis_up')).toContain('clipferry_redis_up 0');
});

test('they do not report servers that a process does not have', async () => {
  const metrics = new Registry();
  reportReachability(metrics, { redis: null, objects: null });
  expect(await metrics.metrics()).not.toContain('_up');
});

test.each(engines)(
  'a database that cannot be read is away, and one that can is not, on $name',
  async (engine) => {
    const place = await engine.makePlace();
    const database = await place.open();
    for (const isUsable of [false, true]) {
      if (isUsable) await migrate(database);
      const metrics = new Registry();
      const { isAway, close } = watchDatabase(database, metrics);
      // Looks a last time.
      await close();
      expect(isAway()).toBe(!isUsable);
      expect(await metrics.metrics()).toContain(`clipferry_database_up ${isUsable ? 1 : 0}`);
    }
    await database.close();
    await place.remove();
  },
);
