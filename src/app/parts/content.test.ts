import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { noteChanges } from '../../content/writing/changes.ts';
import { createPageCache } from '../../server/page-cache/cached-pages.ts';
import { announceChange } from '../../stores/open/redis.ts';
import { describeRedisInstances } from '../../stores/open/testing/redis-instances.ts';
import { assembleContentWork } from './content.ts';
import { readConfigurationFile } from './read-site-configuration.ts';

const silent = pino({ level: 'silent' });

describeRedisInstances(
  'what an import has changed is dropped on each',
  async ({ database, environment, instances }, defer) => {
    const configuration = readConfigurationFile('site.config.json');
    const drops = await Promise.all(
      instances.map(async (redis) => {
        const work = await assembleContentWork(database, configuration, redis, silent);
        defer(work.close);
        const dropped = vi.fn();
        work.watch(createPageCache({ maxBytes: 2 ** 20 }), dropped);
        return dropped;
      }),
    );
    const change = { subject: 'article', locale: '', name: '*' } as const;
    await database.query
      .transaction()
      .execute((transaction) => noteChanges(transaction, database.engine, [change], Date.now()));
    await announceChange(environment, 'content', silent);
    await vi.waitFor(
      () => expect(drops.every((dropped) => dropped.mock.calls.length > 0)).toBe(true),
      10_000,
    );
  },
);
