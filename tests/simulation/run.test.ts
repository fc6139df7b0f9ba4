import { describe, expect, it } from 'vitest';
import { simulate } from './run.ts';

/** `node tests/simulation/main.ts` runs many more. */
const seeds = Array.from({ length: 50 }, (_, at) => at + 1);

describe('the downloader in virtual time', () => {
  it('leaves no visitor without an answer, and does not storm the platform', async () => {
    let trials = 0;
    for (const seed of seeds) {
      const { violations, trials: ofSeed } = await simulate(seed);
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      trials += ofSeed;
    }
    // Breakers that never open would violate none of their rules.
    expect(trials).toBeGreaterThan(20);
  });

  it('is the same for the same seed', async () => {
    expect(await simulate(7)).toEqual(await simulate(7));
  });
});
