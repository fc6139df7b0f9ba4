import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SharedWork, WorkResult } from '../shared-work.ts';

/** An implementation's contribution to the suite. */
export interface SharedWorkPlace {
  /** The work as two processes have it. */
  readonly one: SharedWork;
  readonly other: SharedWork;
  close(): Promise<void>;
}

/** Every implementation of {@link SharedWork} runs this. */
export function describeSharedWork(name: string, makePlace: () => Promise<SharedWorkPlace>): void {
  describe(`shared work: ${name}`, () => {
    let place: SharedWorkPlace;
    let one: SharedWork;
    let other: SharedWork;

    const forever = new AbortController().signal;
    const done = (text: string, keepMs = 60_000) =>
      vi.fn(async (): Promise<WorkResult> => ({ text, keepMs }));
    /** Work that a test ends. */
    const slow = () => {
      const result = Promise.withResolvers<WorkResult>();
      const work = vi.fn((signal: AbortSignal) => {
        signal.addEventListener('abort', () => result.reject(signal.reason));
        return result.promise;
      });
      return { work, ...result };
    };

    beforeEach(async () => {
      place = await makePlace();
      ({ one, other } = place);
    });
    afterEach(() => place.close());

    it('is done once for all who want it at the same time', async () => {
      const { work, resolve } = slow();
      const wanted = Array.from({ length: 200 }, (_, n) =>
        (n % 2 === 0 ? one : other).run('a', forever, work),
      );
      await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1));
      resolve({ text: 'ä result', keepMs: 60_000 });
      const results = await Promise.all(wanted);
      expect(new Set(results.map(({ text }) => text))).toEqual(new Set(['ä result']));
      expect(results.filter(({ isShared }) => !isShared)).toHaveLength(1);
      expect(work).toHaveBeenCalledTimes(1);
    });

    it('has a result for those who come later, for its time and no longer', async () => {
      await one.run('a', forever, done('first', 300));
      const later = done('later');
      await vi.waitFor(async () => {
        expect(await other.run('a', forever, later)).toEqual({ text: 'later', isShared: false });
      });
      expect(await one.run('a', forever, done('no'))).toEqual({ text: 'later', isShared: true });
      expect(await one.run('b', forever, done('of b'))).toEqual({ text: 'of b', isShared: false });
    });

    it('keeps nothing that is only for those who wait', async () => {
      await one.run('a', forever, done('first', 0));
      await vi.waitFor(async () =>
        expect(await other.run('a', forever, done('second'))).toEqual({ text: 'second', isShared: false }),
      );
    });

    it('takes what is put in place of what is kept', async () => {
      await one.run('a', forever, done('old'));
      await other.put('a', { text: 'new', keepMs: 60_000 });
      expect((await one.run('a', forever, done('no'))).text).toBe('new');
    });

    it('is taken over by one of those who wait when whoever did it fails or leaves', async () => {
      const failing = slow();
      const first = one.run('a', forever, failing.work);
      await vi.waitFor(() => expect(failing.work).toHaveBeenCalled());
      const second = slow();
      const waiting = [other.run('a', forever, second.work), other.run('a', forever, second.work)];
      failing.reject(new Error('only mine'));
      await expect(first).rejects.toThrow('only mine');
      await vi.waitFor(() => expect(second.work).toHaveBeenCalledTimes(1), { timeout: 5000 });
      second.resolve({ text: 'theirs', keepMs: 1000 });
      for (const result of await Promise.all(waiting)) expect(result.text).toBe('theirs');

      const leaving = new AbortController();
      const left = slow();
      const gone = one.run('b', leaving.signal, left.work);
      await vi.waitFor(() => expect(left.work).toHaveBeenCalled());
      const next = other.run('b', forever, done('next'));
      leaving.abort(new Error('left'));
      await expect(gone).rejects.toThrow('left');
      expect((await next).text).toBe('next');
    });

    it('lets those who wait leave', async () => {
      const { work, resolve } = slow();
      const first = one.run('a', forever, work);
      await vi.waitFor(() => expect(work).toHaveBeenCalled());
      const leaving = new AbortController();
      const waiting = other.run('a', leaving.signal, done('no'));
      leaving.abort(new Error('left'));
      await expect(waiting).rejects.toThrow('left');
      resolve({ text: 'x', keepMs: 1000 });
      await first;
    });
  });
}
