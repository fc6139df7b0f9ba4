import { setTimeout as pause } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Failure } from '../../downloader/failures.ts';
import type { Visitor } from './visitor.ts';

/** Spends one of a visitor's tries. */
export type RateLimit = (visitor: Visitor) => Promise<void>;

/** Nobody notices it who waits for an answer; whoever asks again and again at once has it each time. */
const slownessMs = 25;

/** Lets a visitor wait for a moment who is refused for asking too often, so that asking on costs the site little. */
export async function beSlowToRefuse({ key }: Failure): Promise<void> {
  if (key === 'rate_limited') await pause(slownessMs);
}

/** How many times one visitor's allowance a whole address block has, so that a shared address is not shut out by one. */
export const blockFactor = 8;

function refused(thrown: unknown): never {
  if (!(thrown instanceof RateLimiterRes)) throw thrown;
  throw new Failure('rate_limited', { retryAfterS: Math.max(1, Math.ceil(thrown.msBeforeNext / 1000)) });
}

function limiters(tries: number, periodS: number) {
  return {
    visitors: new RateLimiterMemory({ points: tries, duration: periodS }),
    blocks: new RateLimiterMemory({ points: tries * blockFactor, duration: periodS }),
  };
}

function spending({ visitors, blocks }: ReturnType<typeof limiters>): RateLimit {
  return async (visitor) => {
    try {
      await visitors.consume(visitor.key);
      await blocks.consume(visitor.block);
    } catch (thrown) {
      refused(thrown);
    }
  };
}

/**
 * A limit per visitor and per address block.
 * @param tries how many in each period
 * @param periodS seconds
 * @returns a function that throws `Failure` `rate_limited` with the seconds to wait
 */
export function createRateLimit(tries: number, periodS = 60): RateLimit {
  return spending(limiters(tries, periodS));
}

/** A limit of which it is only known afterwards whether a try was one. */
export interface LateRateLimit {
  /** Fails when nothing is left, and spends nothing. @throws Failure `rate_limited` */
  readonly check: RateLimit;
  /** @throws Failure `rate_limited` */
  readonly spend: RateLimit;
}

/** So often in a minute a visitor has a new allowance: what is asked for at once must not keep the process busy long. */
const periodsAMinute = 6;

/**
 * As {@link createRateLimit}, in short periods.
 * @param triesAMinute how many
 */
export function createLateRateLimit(triesAMinute: number): LateRateLimit {
  const tries = Math.ceil(triesAMinute / periodsAMinute);
  const { visitors, blocks } = limiters(tries, 60 / periodsAMinute);
  const isSpent = (state: RateLimiterRes | null) => state !== null && state.remainingPoints <= 0;
  return {
    async check(visitor) {
      const states = await Promise.all([visitors.get(visitor.key), blocks.get(visitor.block)]);
      const spent = states.find(isSpent);
      if (spent) refused(spent);
    },
    spend: spending({ visitors, blocks }),
  };
}
