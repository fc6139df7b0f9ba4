import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../contracts/testing/services/databases.ts';
import { createLeases } from './leases.ts';

const start = Date.UTC(2026, 10, 1);

describe.each(engines)('$name', (engine) => {
  async function open() {
    const fresh = await openFreshDatabase(engine);
    const time = { now: start };
    const { query } = fresh.database;
    const leases = createLeases(query, () => time.now);
    return { query, time, leases, [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose]() };
  }

  test('a lease is one owner’s until it ends, is given back, or is taken over', async () => {
    await using fresh = await open();
    const { time, leases } = fresh;
    expect(await leases.take('work', 'a', 1000)).toBe(true);
    expect(await leases.take('work', 'b', 1000)).toBe(false);
    expect(await leases.take('other work', 'b', 1000)).toBe(true);
    time.now += 999;
    expect(await leases.take('work', 'a', 1000)).toBe(true);
    time.now += 999;
    expect(await leases.take('work', 'b', 1000)).toBe(false);
    time.now += 1;
    expect(await leases.take('work', 'b', 1000)).toBe(true);
    await leases.release('work', 'a');
    expect(await leases.take('work', 'a', 1000)).toBe(false);
    await leases.release('work', 'b');
    expect(await leases.take('work', 'a', 1000)).toBe(true);
    expect(await leases.take('work', 'b', 1000, true)).toBe(true);
    expect(await leases.take('work', 'a', 1000)).toBe(false);
  });

  test('an owner who comes late keeps a lease that nobody took, and learns that somebody did', async () => {
    await using fresh = await open();
    const { time, leases } = fresh;
    await leases.take('work', 'a', 1000);
    time.now += 5000;
    expect(await leases.renew('work', 'a', 1000)).toBe(true);
    expect(await leases.take('work', 'b', 1000)).toBe(false);
    await leases.take('work', 'b', 1000, true);
    expect(await leases.renew('work', 'a', 1000)).toBe(false);
    await leases.release('work', 'b');
    expect(await leases.renew('work', 'a', 1000)).toBe(false);
  });

  test('of many that ask at once, one gets it', async () => {
    await using fresh = await open();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => fresh.leases.take('work', `${n}`, 1000)),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
  });

  test('a renewal holds until its transaction ends', async () => {
    await using fresh = await open();
    const { query, leases } = fresh;
    await leases.take('work', 'a', 1000);
    let taking: Promise<boolean> | undefined;
    await query.transaction().execute(async (transaction) => {
      await createLeases(transaction, () => start + 2000).renew('work', 'a', 1000);
      taking = createLeases(query, () => start + 2000).take('work', 'b', 1000);
    });
    expect(await taking).toBe(false);
  });

  test('a clock that was wrong for a moment leaves no lease behind', async () => {
    await using fresh = await open();
    const { time, leases } = fresh;
    time.now = start + 365 * 86_400_000;
    await leases.take('work', 'a', 1000);
    time.now = start;
    expect(await leases.take('work', 'b', 1000)).toBe(true);
  });
});
