import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MediaConnections, type ReclaimableConnection } from './media-connections.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;
const connections = () => new MediaConnections({ limit: 2, idleMs: 1000, patienceMs: 3000 });

/** Takes a connection, and reports whether it was admitted. */
function taking(from: MediaConnections, signal = never): { isAdmitted: boolean; refused: unknown } {
  const state = { isAdmitted: false, refused: null as unknown };
  from.take(signal).then(
    () => {
      state.isAdmitted = true;
    },
    (reason: unknown) => {
      state.refused = reason;
    },
  );
  return state;
}

/** A connection that returns itself when it is taken away, like flows. */
function lendable(from: MediaConnections): ReclaimableConnection & { taken: boolean } {
  return {
    taken: false,
    reclaim() {
      this.taken = true;
      from.give();
    },
  };
}

describe('connections for videos', () => {
  it('are available at once up to the limit, then one for each that is returned', async () => {
    const all = connections();
    const calls = [taking(all), taking(all), taking(all), taking(all)];
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true, false, false]);
    all.give();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true, true, false]);
  });

  it('are taken from the download that has stalled longest, after a second', async () => {
    const all = connections();
    const [first, second] = [lendable(all), lendable(all)];
    taking(all);
    taking(all);
    all.markIdle(second);
    await vi.advanceTimersByTimeAsync(100);
    all.markIdle(first);
    const next = taking(all);
    await vi.advanceTimersByTimeAsync(700);
    expect(next.isAdmitted).toBe(false);
    await vi.advanceTimersByTimeAsync(300);
    expect([first.taken, second.taken, next.isAdmitted]).toEqual([false, true, true]);
  });

  it('are taken at once from one that has stalled long enough, and left alone when it has moved since', async () => {
    const all = connections();
    const [moving, still] = [lendable(all), lendable(all)];
    taking(all);
    taking(all);
    all.markIdle(moving);
    all.markIdle(still);
    all.markActive(moving);
    await vi.advanceTimersByTimeAsync(1000);
    const next = taking(all);
    await vi.advanceTimersByTimeAsync(0);
    expect([moving.taken, still.taken, next.isAdmitted]).toEqual([false, true, true]);
  });

  it('open beyond the limit when all have moved for three seconds, and are not replaced later', async () => {
    const all = connections();
    taking(all);
    taking(all);
    const waiting = [taking(all), taking(all)];
    await vi.advanceTimersByTimeAsync(2900);
    expect(waiting.map(({ isAdmitted }) => isAdmitted)).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(300);
    expect(waiting.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true]);
    const late = taking(all);
    all.give();
    all.give();
    await vi.advanceTimersByTimeAsync(0);
    expect(late.isAdmitted).toBe(false);
    all.give();
    await vi.advanceTimersByTimeAsync(0);
    expect(late.isAdmitted).toBe(true);
  });

  it('open beyond the limit for those who have waited ten seconds, although turns come', async () => {
    const all = connections();
    taking(all);
    taking(all);
    const waiting = Array.from({ length: 8 }, () => taking(all));
    for (let second = 0; second < 5; second += 1) {
      await vi.advanceTimersByTimeAsync(1900);
      all.give();
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(750);
    expect(waiting.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(8);
  });

  it('are not given to those who have left, and leave nothing behind', async () => {
    const all = connections();
    taking(all);
    taking(all);
    const leaving = new AbortController();
    const left = taking(all, leaving.signal);
    const next = taking(all);
    leaving.abort('left');
    all.give();
    await vi.advanceTimersByTimeAsync(500);
    expect([left.isAdmitted, left.refused, next.isAdmitted]).toEqual([false, 'left', true]);
    expect(vi.getTimerCount()).toBe(0);
    await expect(all.take(leaving.signal)).rejects.toBe('left');
  });
});
