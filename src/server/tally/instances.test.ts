import { expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createInstanceStore, type InstanceState } from './instances.ts';

const state: InstanceState = {
  ...{ host: 'alpha', version: '1', builtAt: 5, node: 'v24', database: 'SQLite' },
  ...{ absent: ['Redis'], shared: ['Redis'], downloads: 3, busy: 0.25 },
  breakers: [{ name: 'tiktok/page', state: 'half-open', reads: true }],
  ...{ fiveMinutes: [], lately: [] },
  egresses: { all: 2, resting: 1 },
  conversions: { waiting: 4, running: 2, mostWaiting: 200 },
  disk: null,
  memory: { process: 1, heap: 1, free: 1, total: 1 },
};

test.for(engines)('an instance exists as long as it reports its state, on $name', async (engine) => {
  await using fresh = await openFreshDatabase(engine);
  const { query } = fresh.database;
  let time = 1_790_000_000_000;
  const store = createInstanceStore(query, () => time);
  await store.beat('one', time, state);
  time += 1;
  await store.beat('two', time, state);
  expect(await store.list()).toEqual([
    { id: 'one', startedAt: time - 1, seenAt: time - 1, state },
    { id: 'two', startedAt: time, seenAt: time, state },
  ]);
  time += 59_000;
  await store.beat('two', time - 59_000, { ...state, downloads: 0 });
  time += 2000;
  expect((await store.list()).map(({ id, state: { downloads } }) => [id, downloads])).toEqual([['two', 0]]);
  await store.leave('two');
  expect(await store.list()).toEqual([]);

  // Rows of an older version are not states.
  await query
    .insertInto('instances')
    .values({ id: 'old', started_at: time, seen_at: time, state: '{"host":"x"}' })
    .execute();
  expect(await store.list()).toEqual([]);
  time += 24 * 3_600_000 + 1;
  await store.beat('three', time, state);
  expect(await query.selectFrom('instances').select('id').execute()).toEqual([{ id: 'three' }]);
});
