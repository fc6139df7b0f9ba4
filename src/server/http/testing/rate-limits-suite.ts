import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MakeRateCounters, RateCounters } from '../../../stores/contracts/rate-counters.ts';
import { createRateLimits, type RateLimits } from '../limits/visitor-limits.ts';

/** An implementation's contribution to the suite. */
export interface RateLimitsPlace {
  /** The counters as two instances see them. */
  readonly one: MakeRateCounters;
  readonly other: MakeRateCounters;
  close(): Promise<void>;
}

/** The suite for every counter of requests. */
export function describeRateLimits(name: string, makePlace: () => Promise<RateLimitsPlace>): void {
  describe(`rate limits: ${name}`, () => {
    let place: RateLimitsPlace;
    let one: RateLimits;
    let other: RateLimits;

    const refused = expect.objectContaining({ key: 'rate_limited', retryAfterS: expect.any(Number) });

    beforeEach(async () => {
      place = await makePlace();
      one = createRateLimits(place.one);
      other = createRateLimits(place.other);
    });
    afterEach(() => place.close());

    it('counts a visitor’s requests wherever they are made', async () => {
      const [here, there] = [one.create('a', 3), other.create('a', 3)];
      const visitor = { key: 'v', block: 'b' };
      await here(visitor);
      await there(visitor);
      await here(visitor);
      await expect(there(visitor)).rejects.toEqual(refused);
      await expect(here(visitor)).rejects.toEqual(refused);
      await here({ key: 'w', block: 'b' });
    });

    it('counts limits separately', async () => {
      const visitor = { key: 'v', block: 'b' };
      await one.create('a', 1)(visitor);
      await other.create('b', 1)(visitor);
      await expect(other.create('a', 1)(visitor)).rejects.toEqual(refused);
    });

    it('has a limit for an address block as a whole', async () => {
      const [here, there] = [one.create('a', 1), other.create('a', 1)];
      for (let neighbour = 0; neighbour < 8; neighbour += 1)
        await (neighbour % 2 === 0 ? here : there)({ key: `v${neighbour}`, block: 'b' });
      await expect(here({ key: 'one more', block: 'b' })).rejects.toEqual(refused);
    });

    it('does not charge a block for a visitor who is refused', async () => {
      const limit = one.create('a', 1);
      const visitor = { key: 'v', block: 'b' };
      await limit(visitor);
      for (let n = 0; n < 10; n += 1) await expect(limit(visitor)).rejects.toEqual(refused);
      for (let neighbour = 1; neighbour < 8; neighbour += 1)
        await limit({ key: `v${neighbour}`, block: 'b' });
      await expect(limit({ key: 'one more', block: 'b' })).rejects.toEqual(refused);
    });

    it('counts a request as several, for a visitor and for a block', async () => {
      const counters = [place.one, place.other].map((make) => make('a', { visitor: 10, block: 15 }, 60));
      const [here, there] = counters as [RateCounters, RateCounters];
      expect(await here.spend({ key: 'v', block: 'b' }, 9)).toBe(0);
      expect(await there.spend({ key: 'v', block: 'b' }, 2)).toBeGreaterThan(0);
      expect(await there.spend({ key: 'w', block: 'b' }, 6)).toBe(0);
      expect(await here.spend({ key: 'x', block: 'b' }, 1)).toBeGreaterThan(0);
    });

    it('checks without spending', async () => {
      const [here, there] = [one.createLate('a', 24), other.createLate('a', 24)];
      const visitor = { key: 'v', block: 'b' };
      for (let n = 0; n < 5; n += 1) await there.check(visitor);
      await here.spend(visitor);
      await there.check(visitor);
      await there.spend(visitor);
      await expect(here.check(visitor)).rejects.toEqual(refused);
      await expect(there.spend(visitor)).rejects.toEqual(refused);
    });

    it('says how long to wait', async () => {
      const limit = one.create('a', 1, 100);
      const visitor = { key: 'v', block: 'b' };
      await limit(visitor);
      const { retryAfterS } = (await limit(visitor).catch((thrown: unknown) => thrown)) as {
        retryAfterS: number;
      };
      expect(retryAfterS).toBeGreaterThan(80);
      expect(retryAfterS).toBeLessThanOrEqual(100);
    });
  });
}
