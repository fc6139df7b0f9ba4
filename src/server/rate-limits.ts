import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Failure } from '../downloader/failures.ts';
import type { Visitor } from './visitor.ts';

/** Spends one of a visitor's tries. */
export type RateLimit = (visitor: Visitor) => Promise<void>;

/** How many times one visitor's allowance a whole address block has, so that a shared address is not shut out by one. */
const blockFactor = 8;

/**
 * A limit per visitor and per address block.
 * @param tries how many in each period
 * @param periodS seconds
 * @returns a function that throws `Failure` `rate_limited` with the seconds to wait
 */
export function createRateLimit(tries: number, periodS = 60): RateLimit {
  const visitors = new RateLimiterMemory({ points: tries, duration: periodS });
  const blocks = new RateLimiterMemory({ points: tries * blockFactor, duration: periodS });
  return async (visitor) => {
    try {
      await visitors.consume(visitor.key);
      await blocks.consume(visitor.block);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new Failure('rate_limited', { retryAfterS: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) });
    }
  };
}
