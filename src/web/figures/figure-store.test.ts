import { expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createFigureStore } from './figure-store.ts';
import { hourMs, startOf, unitOf } from './units.ts';
import { createWaitingFigures } from './waiting-figures.ts';

const day = 20_000;
const noon = day * 24 + 12;
const month = unitOf('month', noon * hourMs);

test.for(engines)('a batch counts once, however often it is sent, on $name', async (engine) => {
  await using fresh = await openFreshDatabase(engine);
  let time = noon * hourMs;
  const store = createFigureStore(fresh.database.query, () => time);
  const waiting = createWaitingFigures(() => time);
  waiting.add('download', 'mp4', 'complete', 3);
  waiting.add('download', 'mp4', 'incomplete');
  const first = { instance: 'one', number: 1, figures: waiting.take() };
  expect(await store.write(first)).toBe(true);
  // As if the answer was lost.
  expect(await store.write(first)).toBe(false);
  expect(await store.write({ ...first, instance: 'two' })).toBe(true);
  time += hourMs;
  waiting.add('download', 'mp4', 'complete');
  expect(waiting.size).toBe(1);
  expect(await store.write({ instance: 'one', number: 2, figures: waiting.take() })).toBe(true);

  const complete = { subject: 'download', name: 'mp4', detail: 'complete' };
  expect(await store.sums('hour', ['download', 'post'], noon + 1)).toEqual([{ ...complete, total: 1 }]);
  expect(await store.sums('day', ['download'], day)).toContainEqual({ ...complete, total: 7 });
  expect(await store.sums('month', ['download'], month)).toContainEqual({ ...complete, total: 7 });
  expect(await store.sums('month', ['download'], month + 1)).toEqual([]);
  const byHour = [
    { at: noon, total: 8, part: 6 },
    { at: noon + 1, total: 1, part: 1 },
  ];
  expect((await store.overTime('hour', 'download', noon, ['complete'])).toSorted(byAt)).toEqual(byHour);
  expect(await store.overTime('day', 'download', day, [])).toEqual([{ at: day, total: 9, part: 0 }]);
  expect((await store.namesOverTime('hour', 'download', noon, ['complete'])).toSorted(byAt)).toEqual(
    byHour.map((row) => ({ ...row, name: 'mp4' })),
  );
});

const byAt = (one: { readonly at: number }, other: { readonly at: number }) => one.at - other.at;

test.for(engines)('keeps hours for a month, days and months for 13 months, on $name', async (engine) => {
  await using fresh = await openFreshDatabase(engine);
  let time = noon * hourMs;
  const store = createFigureStore(fresh.database.query, () => time);
  const figure = { subject: 'post', name: 'read', detail: 'ok', total: 1, hour: noon } as const;
  await store.write({ instance: 'one', number: 1, figures: [figure] });
  const left = async () => {
    await store.expire();
    const counts = (['hour', 'day', 'month'] as const).map(
      async (unit) => (await store.sums(unit, ['post'], 0)).length,
    );
    return (await Promise.all(counts)).join(' ');
  };
  time += 31 * 24 * hourMs;
  expect(await left()).toBe('1 1 1');
  time += hourMs;
  expect(await left()).toBe('0 1 1');
  time += 364 * 24 * hourMs;
  expect(await left()).toBe('0 1 1');
  time += 24 * hourMs;
  expect(await left()).toBe('0 1 1');
  time += 24 * hourMs;
  expect(await left()).toBe('0 0 1');
  time = startOf('month', month + 14);
  expect(await left()).toBe('0 0 0');
});

test('invented names find no room beside existing ones', () => {
  let full = 0;
  const waiting = createWaitingFigures(() => 0, { most: 2, onFull: () => (full += 1) });
  for (const name of ['a', 'b', 'c', 'a']) waiting.add('post', name);
  expect(full).toBe(1);
  expect(waiting.take().map(({ name, total }) => [name, total])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});

test('months begin as in the calendar', () => {
  const may = unitOf('month', Date.UTC(2026, 4, 31, 23, 59));
  expect(startOf('month', may)).toBe(Date.UTC(2026, 4, 1));
  expect(unitOf('month', Date.UTC(2026, 5, 1))).toBe(may + 1);
  expect(unitOf('month', 0)).toBe(0);
});
