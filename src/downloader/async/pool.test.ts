import { describe, expect, it } from 'vitest';
import { Pool } from './pool.ts';

const never = new AbortController().signal;
function setUp(size: number) {
  let made = 0;
  return new Pool(size, () => ({ number: ++made }));
}

describe('a pool', () => {
  it('makes members as they are needed, and lends them again', async () => {
    const pool = setUp(2);
    const first = await pool.take(never);
    pool.give(first);
    expect(await pool.take(never)).toBe(first);
    expect((await pool.take(never)).number).toBe(2);
    expect([pool.alive.size, pool.idle.length]).toEqual([2, 0]);
  });

  it('serves those who wait in the order of coming', async () => {
    const pool = setUp(1);
    const member = await pool.take(never);
    const served: string[] = [];
    const take = async (name: string) => {
      const own = await pool.take(never);
      served.push(name);
      pool.give(own);
    };
    const waiting = ['one', 'two', 'three'].map(take);
    pool.give(member);
    await Promise.all(waiting);
    expect(served).toEqual(['one', 'two', 'three']);
  });

  it('lets a borrower leave while it waits, and gives its turn to the next', async () => {
    const pool = setUp(1);
    const member = await pool.take(never);
    const caller = new AbortController();
    const left = pool.take(caller.signal);
    const next = pool.take(never);
    caller.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    pool.give(member);
    expect(await next).toBe(member);
  });

  it('makes another in the place of one that has ended', async () => {
    const pool = setUp(1);
    const member = await pool.take(never);
    const waiting = pool.take(never);
    pool.forget(member);
    expect((await waiting).number).toBe(2);
    pool.give(member);
    expect(pool.idle).toEqual([]);
  });
});
