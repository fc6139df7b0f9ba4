import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DistributedSingleFlight, FlightResult } from '../distributed-single-flight.ts';

/** An implementation's contribution to the suite. */
export interface SingleFlightPlace {
  /** The work as two processes see it. */
  readonly one: DistributedSingleFlight;
  readonly other: DistributedSingleFlight;
  close(): Promise<void>;
}

/** The suite for every implementation of {@link DistributedSingleFlight}. */
export function describeDistributedSingleFlight(
  name: string,
  makePlace: () => Promise<SingleFlightPlace>,
): void {
  describe(`shared work: ${name}`, () => {
    let place: SingleFlightPlace;
    let one: DistributedSingleFlight;
    let other: DistributedSingleFlight;

    const forever = new AbortController().signal;
    const done = (text: string, keepMs = 60_000) =>
      vi.fn(async (): Promise<FlightResult> => ({ text, keepMs }));
    /** Work that ends on command. */
    const slow = () => {
      const result = Promise.withResolvers<FlightResult>();
      const task = vi.fn((signal: AbortSignal) => {
        signal.addEventListener('abort', () => result.reject(signal.reason));
        return result.promise;
      });
      return { task, ...result };
    };

    beforeEach(async () => {
      place = await makePlace();
      ({ one, other } = place);
    });
    afterEach(() => place.close());

    it('runs once for all simultaneous callers', async () => {
      const { task, resolve } = slow();
      const wanted = Array.from({ length: 200 }, (_, n) =>
        (n % 2 === 0 ? one : other).run('a', forever, task),
      );
      await vi.waitFor(() => expect(task).toHaveBeenCalledTimes(1), 15_000);
      resolve({ text: 'ä result', keepMs: 60_000 });
      const results = await Promise.all(wanted);
      expect(new Set(results.map(({ text }) => text))).toEqual(new Set(['ä result']));
      expect(results.filter(({ isShared }) => !isShared)).toHaveLength(1);
      expect(task).toHaveBeenCalledTimes(1);
    });

    it('keeps a result for later callers, for its lifetime and no longer', async () => {
      await one.run('a', forever, done('first', 300));
      const later = done('later');
      await vi.waitFor(async () => {
        expect(await other.run('a', forever, later)).toEqual({ text: 'later', isShared: false });
      }, 15_000);
      expect(await one.run('a', forever, done('no'))).toEqual({ text: 'later', isShared: true });
      expect(await one.run('b', forever, done('of b'))).toEqual({ text: 'of b', isShared: false });
    });

    it('keeps nothing that is only for waiting callers', async () => {
      await one.run('a', forever, done('first', 0));
      await vi.waitFor(
        async () =>
          expect(await other.run('a', forever, done('second'))).toEqual({ text: 'second', isShared: false }),
        15_000,
      );
    });

    it('replaces the stored result by a newer one', async () => {
      await one.run('a', forever, done('old'));
      await other.put('a', { text: 'new', keepMs: 60_000 });
      expect((await one.run('a', forever, done('no'))).text).toBe('new');
    });

    it('passes to a waiting caller when the worker fails or leaves', async () => {
      const failing = slow();
      const first = one.run('a', forever, failing.task);
      await vi.waitFor(() => expect(failing.task).toHaveBeenCalled(), 15_000);
      const second = slow();
      const waiting = [other.run('a', forever, second.task), other.run('a', forever, second.task)];
      failing.reject(new Error('only mine'));
      await expect(first).rejects.toThrow('only mine');
      await vi.waitFor(() => expect(second.task).toHaveBeenCalledTimes(1), { timeout: 5000 });
      second.resolve({ text: 'theirs', keepMs: 1000 });
      for (const result of await Promise.all(waiting)) expect(result.text).toBe('theirs');

      const leaving = new AbortController();
      const left = slow();
      const gone = one.run('b', leaving.signal, left.task);
      await vi.waitFor(() => expect(left.task).toHaveBeenCalled(), 15_000);
      const next = other.run('b', forever, done('next'));
      leaving.abort(new Error('left'));
      await expect(gone).rejects.toThrow('left');
      expect((await next).text).toBe('next');
    });

    it('lets waiting callers leave', async () => {
      const { task, resolve } = slow();
      const first = one.run('a', forever, task);
      await vi.waitFor(() => expect(task).toHaveBeenCalled(), 15_000);
      const leaving = new AbortController();
      const waiting = other.run('a', leaving.signal, done('no'));
      leaving.abort(new Error('left'));
      await expect(waiting).rejects.toThrow('left');
      resolve({ text: 'x', keepMs: 1000 });
      await first;
    });
  });
}
