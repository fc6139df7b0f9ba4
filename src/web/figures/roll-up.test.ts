import { expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createFigureStore } from './figure-store.ts';
import { rollUpDay, startRollUp } from './roll-up.ts';

const day = 20_000;
const rest = { page: '', name: '', detail: '', locale: '', device: '' };

test.for(engines)(
  "rolls a day's sums up to the same result any number of times, on $name",
  async (engine) => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    const name = new Date(day * 86_400_000).toISOString().slice(0, 10);
    await query
      .insertInto('daily_sums')
      .values([
        { ...rest, day: name, subject: 'view', page: 'home', locale: 'de', total: 2 },
        { ...rest, day: name, subject: 'view', page: 'home', locale: 'en', device: 'phone', total: 3 },
        { ...rest, day: name, subject: 'event', name: 'page_scroll', detail: '40', page: 'home', total: 4 },
        { ...rest, day: name, subject: 'visitor', locale: 'de', total: 1 },
        { ...rest, day: name, subject: 'visitor', locale: 'en', total: 1 },
        { ...rest, day: name, subject: 'download', name: 'mp4', total: 9 },
      ])
      .execute();
    await rollUpDay(query, day);
    await rollUpDay(query, day);
    const subjects = ['view', 'event', 'visitor', 'download'] as const;
    const sums = () => createFigureStore(query, Date.now).sums('day', subjects, day);
    const expected = [
      { subject: 'event', name: 'page_scroll', detail: '40', total: 4 },
      { subject: 'view', name: 'home', detail: '', total: 5 },
      { subject: 'visitor', name: '', detail: '', total: 2 },
    ];
    expect((await sums()).toSorted((one, other) => one.subject.localeCompare(other.subject))).toEqual(
      expected,
    );

    await query.updateTable('daily_sums').set({ total: 7 }).where('subject', '=', 'event').execute();
    const errors: unknown[] = [];
    // The day before the latest one is summed again: it was not over.
    const end = startRollUp(
      query,
      () => (day + 1) * 86_400_000,
      (error) => errors.push(error),
    );
    await expect.poll(async () => (await sums()).find(({ subject }) => subject === 'event')?.total).toBe(7);
    await expect
      .poll(() => createFigureStore(query, Date.now).sums('month', ['event', 'view'], 0))
      .toEqual(
        expect.arrayContaining([
          { subject: 'event', name: 'page_scroll', detail: '40', total: 7 },
          { subject: 'view', name: 'home', detail: '', total: 5 },
        ]),
      );
    await end();
    expect(errors).toEqual([]);
  },
);
