import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { MakeRateCounters } from '../contracts/rate-counters.ts';

/** Counts tries in this process only. */
export const countHere: MakeRateCounters = (_, tries, duration) => {
  const visitors = new RateLimiterMemory({ points: tries.visitor, duration });
  const blocks = new RateLimiterMemory({ points: tries.block, duration });
  return {
    async spend({ key, block }, points = 1) {
      try {
        await visitors.consume(key, points);
        await blocks.consume(block, points);
        return 0;
      } catch (thrown) {
        if (!(thrown instanceof RateLimiterRes)) throw thrown;
        return Math.max(1, thrown.msBeforeNext);
      }
    },
    async look({ key, block }) {
      const states = await Promise.all([visitors.get(key), blocks.get(block)]);
      const spent = states.find((state) => state !== null && state.remainingPoints <= 0);
      return spent ? Math.max(1, spent.msBeforeNext) : 0;
    },
  };
};
