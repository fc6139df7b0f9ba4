import { expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/databases.ts';
import { createFigureStore } from './figure-store.ts';
import { createWaitingFigures, hourMs } from './waiting-figures.ts';

const day = 20_000;
const noon = day * 24 + 12;

test.for(engines)('a batch counts once, however often it is sent, on $name', async (engine) => {
  await using fresh = await openFreshDatabase(engine);
  let time = noon * hourMs;
  const store = createFigureStore(fresh.database.query, () => time);
  const waiting = createWaitingFigures(() => time);
  waiting.add('download', 'mp4', 'complete', 3);
  waiting.add('download', 'mp4', 'incomplete');
  const first = { instance: 'one', number: 1, figures: waiting.take() };
  expect(await store.write(first)).toBe(true);
  // The answer was lost, say.
  expect(await store.write(first)).toBe(false);
  expect(await store.write({ ...first, instance: 'two' })).toBe(true);
  time += hourMs;
  waiting.add('download', 'mp4', 'complete');
  expect(waiting.size).toBe(1);
  expect(await store.write({ instance: 'one', number: 2, figures: waiting.take() })).toBe(true);

  const complete = { subject: 'download', name: 'mp4', detail: 'complete' };
  expect(await store.sumHours(['download'], noon + 1)).toEqual([{ ...complete, total: 1 }]);
  expect(await store.sumDays(['download'], day)).toContainEqual({ ...complete, total: 7 });
  expect(await store.byHour('download', noon)).toContainEqual({ ...complete, at: noon, total: 6 });
  expect(await store.byDay('download', day)).toContainEqual({ ...complete, at: day, total: 7 });
  expect(await store.sumSpans(['download', 'post'], [noon + 1, noon])).toContainEqual({
    ...complete,
    totals: [1, 7],
  });
  expect(await store.sharesByHour('download', noon, ['complete'])).toContainEqual({
    name: 'mp4',
    ...{ at: noon, total: 8, part: 6 },
  });
});

test.for(engines)('hours are kept for a month, days for a year and a month, on $name', async (engine) => {
  await using fresh = await openFreshDatabase(engine);
  let time = noon * hourMs;
  const store = createFigureStore(fresh.database.query, () => time);
  const figure = { subject: 'post', name: 'read', detail: 'ok', total: 1, hour: noon } as const;
  await store.write({ instance: 'one', number: 1, figures: [figure] });
  time += 31 * 24 * hourMs;
  await store.expire();
  expect(await store.byHour('post', 0)).toHaveLength(1);
  time += hourMs;
  await store.expire();
  expect(await store.byHour('post', 0)).toEqual([]);
  expect(await store.byDay('post', 0)).toHaveLength(1);
  time += 366 * 24 * hourMs;
  await store.expire();
  expect(await store.byDay('post', 0)).toEqual([]);
});

test('what is made up finds no room beside what is there', () => {
  let full = 0;
  const waiting = createWaitingFigures(() => 0, { most: 2, onFull: () => (full += 1) });
  for (const name of ['a', 'b', 'c', 'a']) waiting.add('post', name);
  expect(full).toBe(1);
  expect(waiting.take().map(({ name, total }) => [name, total])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});
