import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../contracts/testing/services/databases.ts';
import { createTallyStore, type TallyEntry } from './tally-store.ts';
import { hourMs, startOf, unitOf } from './units.ts';

const day = 20_000;
const noon = day * 24 + 12;
const month = unitOf('month', noon * hourMs);

const file: TallyEntry = { subject: 'download', name: 'mp4', detail: 'complete', hour: noon, total: 1 };
const broken: TallyEntry = { ...file, detail: 'incomplete' };

describe.each(engines)('the tally on $name', (engine) => {
  async function open() {
    const fresh = await openFreshDatabase(engine);
    const time = { now: noon * hourMs };
    return {
      ...{ fresh, time, store: createTallyStore(fresh.database.query, () => time.now) },
      [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose](),
    };
  }

  test('counts a batch once, however often it is sent, and by whomever at once', async () => {
    await using site = await open();
    const { store, fresh, time } = site;
    const batch = { writer: 'one', number: 1, entries: [file, file, { ...file, hour: noon - 1 }, broken] };
    const other = await fresh.place.open();
    const again = createTallyStore(other.query, () => time.now);
    const written = await Promise.all([store.write(batch), again.write(batch)]);
    await other.close();
    expect(written.filter((isNew) => isNew)).toHaveLength(1);
    expect(await store.write(batch)).toBe(false);
    expect(await store.write({ ...batch, writer: 'two' })).toBe(true);
    expect(await store.write({ ...batch, number: 2, entries: [file] })).toBe(true);
    const all = (unit: 'hour' | 'day' | 'month') =>
      store.sums({ subject: 'download', unit, from: 0, by: [], details: ['complete'] });
    for (const unit of ['hour', 'day', 'month'] as const)
      expect(await all(unit)).toMatchObject([{ total: 9, part: 7 }]);
  });

  test('adds many sums at once, from several instances in any order', async () => {
    await using site = await open();
    const entries = Array.from({ length: 1000 }, (_, at) => ({ ...file, name: `format ${at}` }));
    const write = (writer: string, all: typeof entries) =>
      site.store.write({ writer, number: 1, entries: all });
    await Promise.all([write('one', entries), write('two', entries.toReversed())]);
    const sums = await site.store.sums({ subject: 'download', unit: 'hour', from: noon, by: ['name'] });
    expect([sums.length, new Set(sums.map(({ total }) => total))]).toEqual([1000, new Set([2])]);
  });

  test('adds within a transaction, or not at all', async () => {
    await using site = await open();
    const { query } = site.fresh.database;
    const add = (fails: boolean) =>
      query.transaction().execute(async (transaction) => {
        await createTallyStore(transaction, () => site.time.now).add([file]);
        if (fails) throw new Error('something else failed');
      });
    await add(false);
    await expect(add(true)).rejects.toThrow('something else failed');
    const [sum] = await site.store.sums({ subject: 'download', unit: 'day', from: day, by: [] });
    expect(sum?.total).toBe(1);
  });

  test('adds up by any of its parts, from a time on, and says when the last was added', async () => {
    await using site = await open();
    const { store, time } = site;
    await store.add([file, broken, { ...file, name: 'mp3', total: 3 }]);
    time.now += hourMs;
    await store.add([{ ...file, hour: noon + 1 }]);
    const sums = (from: number, name?: string) =>
      store.sums({
        ...{ subject: 'download', unit: 'hour', from, by: ['at'], details: ['complete'] },
        ...(name !== undefined && { name }),
      });
    const first = { subject: 'download', at: noon, total: 5, part: 4, lastAt: noon * hourMs };
    const second = {
      subject: 'download',
      at: noon + 1,
      total: 1,
      part: 1,
      lastAt: time.now,
    };
    expect((await sums(noon)).toSorted((one, other) => one.at - other.at)).toEqual([first, second]);
    expect(await sums(noon + 1)).toEqual([second]);
    expect(await sums(noon, 'mp3')).toEqual([{ ...first, total: 3, part: 3 }]);
    expect(await store.sums({ subject: 'download', unit: 'month', from: 0, by: ['name', 'detail'] })).toEqual(
      expect.arrayContaining([
        {
          subject: 'download',
          name: 'mp4',
          detail: 'complete',
          total: 2,
          part: 0,
          lastAt: time.now,
        },
      ]),
    );
    const both = {
      subject: ['download', 'post'],
      unit: 'hour',
      from: noon,
      before: noon + 1,
      by: [],
    } as const;
    expect((await store.sums(both)).map(({ subject, total }) => [subject, total])).toEqual([
      ['download', 5],
      ['post', 0],
    ]);
    expect(await store.total({ subject: 'download', unit: 'day', from: day, name: 'mp3' })).toBe(3);
    expect(await store.sums({ subject: 'post', unit: 'hour', from: 0, by: ['name'] })).toEqual([]);
    expect(await store.sums({ subject: 'post', unit: 'hour', from: 0, by: [] })).toMatchObject([
      { total: 0, part: 0 },
    ]);
  });

  test('allows only so many an hour, however many are requested at once', async () => {
    await using site = await open();
    const { store, time } = site;
    const taken = await Promise.all(Array.from({ length: 40 }, () => store.take('mails', 25)));
    expect(taken.filter((one) => one !== null).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 25 }, (_, n) => n + 1),
    );
    expect(await store.take('others', 25)).toBe(1);
    expect(await store.take('none', 0)).toBeNull();
    time.now += hourMs - 1;
    expect(await store.take('mails', 25)).toBeNull();
    time.now += 1;
    expect(await store.take('mails', 25)).toBe(1);
  });

  test('keeps every subject as long as its rule says', async () => {
    await using site = await open();
    const { store, time } = site;
    const other = { name: '', detail: '', hour: noon, total: 1 } as const;
    await store.add([
      file,
      { ...other, subject: 'log_in' },
      { ...other, subject: 'visit' },
      { ...other, subject: 'api_key' },
    ]);
    const left = async () => {
      await store.expire();
      const rows = await site.fresh.database.query.selectFrom('tally').select(['subject', 'unit']).execute();
      return rows.map(({ subject, unit }) => `${subject} ${unit}`).sort();
    };
    const visits = ['visit day', 'visit month'];
    const files = ['download day', 'download hour', 'download month'];
    expect(await left()).toEqual(['api_key month', ...files, 'log_in day', ...visits]);
    time.now += 31 * 24 * hourMs;
    expect(await left()).toContain('download hour');
    time.now += hourMs;
    expect(await left()).not.toContain('download hour');
    time.now = (day + 91) * 24 * hourMs;
    expect(await left()).toEqual(['api_key month', 'download day', 'download month', ...visits]);
    time.now = (day + 397) * 24 * hourMs;
    expect(await left()).toEqual(['api_key month', 'download month', ...visits]);
    time.now = startOf('month', month + 14);
    expect(await left()).toEqual(['api_key month', 'visit day']);
  });
});

test('months begin as in the calendar', () => {
  const may = unitOf('month', Date.UTC(2026, 4, 31, 23, 59));
  expect(startOf('month', may)).toBe(Date.UTC(2026, 4, 1));
  expect(unitOf('month', Date.UTC(2026, 5, 1))).toBe(may + 1);
  expect(unitOf('month', 0)).toBe(0);
});
