import { setTimeout as pause } from 'node:timers/promises';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Failure } from '../../failures/failures.ts';
import type { Visitor } from './visitor.ts';

/** Spends one of a visitor's tries. @throws Failure `rate_limited` */
export type RateLimit = (visitor: Visitor) => Promise<void>;

/** A limit of which it is only known afterwards whether a try was one. */
export interface LateRateLimit {
  /** Fails when nothing is left, and spends nothing. @throws Failure `rate_limited` */
  readonly check: RateLimit;
  /** @throws Failure `rate_limited` */
  readonly spend: RateLimit;
}

/** Nobody notices it who waits for an answer; whoever asks again and again at once has it each time. */
const slownessMs = 25;

/** Lets a visitor wait for a moment who is refused for asking too often, so that asking on costs the site little. */
export async function beSlowToRefuse({ key }: Failure): Promise<void> {
  if (key === 'rate_limited') await pause(slownessMs);
}

/** How many times one visitor's allowance a whole address block has, so that a shared address is not shut out by one. */
export const blockFactor = 8;

/**
 * Makes what counts tries: in this process alone, or together with other instances.
 * @param name of the limit, the same on all instances
 */
export type MakeCounter = (name: string, points: number, periodS: number) => RateLimiterAbstract;

const countHere: MakeCounter = (_, points, duration) => new RateLimiterMemory({ points, duration });

function refused(thrown: unknown): never {
  if (!(thrown instanceof RateLimiterRes)) throw thrown;
  throw new Failure('rate_limited', { retryAfterS: Math.max(1, Math.ceil(thrown.msBeforeNext / 1000)) });
}

/** So often in a minute a visitor has a new allowance: what is asked for at once must not keep the process busy long. */
const periodsAMinute = 6;

/** Makes limits for each visitor and for each address block. */
export interface RateLimits {
  /**
   * @param name another one for each limit
   * @param tries how many in each period
   * @param periodS seconds
   */
  create(name: string, tries: number, periodS?: number): RateLimit;
  /** As `create`, in short periods. @param triesAMinute how many */
  createLate(name: string, triesAMinute: number): LateRateLimit;
}

export function createRateLimits(makeCounter: MakeCounter = countHere): RateLimits {
  const counters = (name: string, tries: number, periodS: number) => ({
    visitors: makeCounter(`${name}-visitor`, tries, periodS),
    blocks: makeCounter(`${name}-block`, tries * blockFactor, periodS),
  });

  function spending({ visitors, blocks }: ReturnType<typeof counters>): RateLimit {
    return async (visitor) => {
      try {
        await visitors.consume(visitor.key);
        await blocks.consume(visitor.block);
      } catch (thrown) {
        refused(thrown);
      }
    };
  }

  return {
    create: (name, tries, periodS = 60) => spending(counters(name, tries, periodS)),
    createLate(name, triesAMinute) {
      const tries = Math.ceil(triesAMinute / periodsAMinute);
      const counted = counters(name, tries, 60 / periodsAMinute);
      const isSpent = (state: RateLimiterRes | null) => state !== null && state.remainingPoints <= 0;
      return {
        async check({ key, block }) {
          const states = await Promise.all([counted.visitors.get(key), counted.blocks.get(block)]);
          const spent = states.find(isSpent);
          if (spent) refused(spent);
        },
        spend: spending(counted),
      };
    },
  };
}
