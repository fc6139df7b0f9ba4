import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenBreaker, SharedBreakers } from '../shared-breakers.ts';

/** An implementation's contribution to the suite. */
export interface SharedBreakersPlace {
  /** The breakers as two instances see them. */
  readonly one: SharedBreakers;
  readonly other: SharedBreakers;
  close(): Promise<void>;
}

/** The suite for every implementation of {@link SharedBreakers}. */
export function describeSharedBreakers(name: string, makePlace: () => Promise<SharedBreakersPlace>): void {
  describe(`shared breakers: ${name}`, () => {
    let place: SharedBreakersPlace;
    let one: SharedBreakers;
    let other: SharedBreakers;

    const watch = (breakers: SharedBreakers, of = 'page') => {
      const seen: (OpenBreaker | null)[] = [];
      breakers.watch(of, (open) => seen.push(open));
      return seen;
    };

    beforeEach(async () => {
      place = await makePlace();
      ({ one, other } = place);
    });
    afterEach(() => place.close());

    it('tells the others when one opens and closes, and newcomers its state', async () => {
      const [mine, theirs, another] = [watch(one), watch(other), watch(other, 'embed')];
      await vi.waitFor(() => expect([mine, theirs, another]).toEqual([[null], [null], [null]]), 15_000);
      one.opened('page', 30_000);
      await vi.waitFor(() => expect(theirs).toHaveLength(2), 15_000);
      expect(theirs[1]?.forMs).toBe(30_000);
      expect(theirs[1]?.remainingMs).toBeGreaterThan(20_000);
      const late = watch(other);
      await vi.waitFor(() => expect(late).toHaveLength(1), 15_000);
      expect(late[0]?.forMs).toBe(30_000);
      expect(late[0]?.remainingMs).toBeLessThanOrEqual(30_000);
      expect(late[0]?.remainingMs).toBeGreaterThan(20_000);
      other.closed('page');
      await vi.waitFor(() => expect(mine).toEqual([null, null]), 15_000);
      const later = watch(one);
      await vi.waitFor(() => expect(later).toEqual([null]), 15_000);
      expect(another).toEqual([null]);
    });

    it('lets one trial run at a time', async () => {
      expect(await one.beginTrial('page', 60_000)).toBe(true);
      expect(await other.beginTrial('page', 60_000)).toBe(false);
      expect(await other.beginTrial('embed', 60_000)).toBe(true);
      // An instance without a trial cannot end one.
      other.endTrial('page');
      expect(await other.beginTrial('page', 60_000)).toBe(false);
      one.endTrial('page');
      await vi.waitFor(async () => expect(await other.beginTrial('page', 60_000)).toBe(true), 15_000);
    });

    it('lets another trial run when one takes too long', async () => {
      expect(await one.beginTrial('page', 50)).toBe(true);
      await vi.waitFor(async () => expect(await other.beginTrial('page', 60_000)).toBe(true), 15_000);
    });
  });
}
