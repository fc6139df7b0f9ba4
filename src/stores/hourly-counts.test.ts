import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from './contracts/testing/services/databases.ts';
import { createHourlyCounts } from './hourly-counts.ts';

const start = Date.UTC(2026, 10, 1);
const hour = 3_600_000;

describe.each(engines)('$name', (engine) => {
  async function open() {
    const fresh = await openFreshDatabase(engine);
    const time = { now: start };
    const counts = createHourlyCounts(fresh.database.query, () => time.now);
    return { time, counts, [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose]() };
  }

  test('allows only so many an hour, however many are requested at once', async () => {
    await using fresh = await open();
    const { time, counts } = fresh;
    const taken = await Promise.all(Array.from({ length: 40 }, () => counts.take('mails', 25)));
    expect(taken.filter((one) => one !== null).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 25 }, (_, n) => n + 1),
    );
    expect(await counts.taken('mails')).toBe(25);
    expect(await counts.take('others', 25)).toBe(1);
    expect(await counts.take('none', 0)).toBeNull();
    time.now = start + hour - 1;
    expect(await counts.take('mails', 25)).toBeNull();
    time.now = start + hour;
    expect(await counts.take('mails', 25)).toBe(1);
  });

  test('sums counts over the requested period, and deletes them after a month', async () => {
    await using fresh = await open();
    const { time, counts } = fresh;
    await Promise.all([counts.add('refused', 3), counts.add('refused', 4), counts.add('other', 1)]);
    time.now = start + 2 * hour;
    await counts.add('refused', 10);
    expect(await counts.sum('refused', 2)).toBe(10);
    expect(await counts.sum('refused', 3)).toBe(17);
    expect(await counts.sum('unknown', 3)).toBe(0);
    time.now = start + 721 * hour;
    await counts.add('refused', 1);
    expect(await counts.sum('refused', 10_000)).toBe(11);
  });
});
