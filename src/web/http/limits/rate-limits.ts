import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../failures/failures.ts';
import type { MakeRateCounters, RateCounters } from '../../../stores/contracts/rate-counters.ts';
import { countHere } from '../../../stores/embedded/rate-counters.ts';
import type { Visitor } from '../visitor/visitor.ts';

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
const slowness = { leastMs: 15, mostMs: 35 };

/**
 * Lets a visitor wait for a moment who is refused for asking too often, so that asking on costs the site little. Not
 * for as long each time: connections that ask on together would all be answered in one turn of the event loop.
 */
export async function delayRefusal({ key }: Failure): Promise<void> {
  if (key === 'rate_limited') await pause(randomInt(slowness.leastMs, slowness.mostMs));
}

/** How many times one visitor's allowance a whole address block has, so that a shared address is not shut out by one. */
export const blockFactor = 8;

function refuse(waitMs: number): void {
  if (waitMs > 0) throw new Failure('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000) });
}

/**
 * Whether a limit lets something pass, for what is left out rather than refused.
 * @param spending the call of a limit
 */
export async function isWithin(spending: Promise<void>): Promise<boolean> {
  try {
    await spending;
    return true;
  } catch (error) {
    if (error instanceof Failure && error.key === 'rate_limited') return false;
    throw error;
  }
}

/** So often in a minute a visitor has a new allowance: what is asked for at once must not keep the process busy long. */
const periodsAMinute = 12;

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

/** @param makeCounters left out, each process counts for itself */
export function createRateLimits(makeCounters: MakeRateCounters = countHere): RateLimits {
  /** The counters of a limit. Visitors with another allowance have their own: few, as the operator gives them. */
  function counters(name: string, tries: number, periodS: number): (visitor: Visitor) => RateCounters {
    const make = (own: string, amount: number) =>
      makeCounters(own, { visitor: amount, block: amount * blockFactor }, periodS);
    const usual = make(name, tries);
    const others = new Map<number, RateCounters>();
    return ({ times = 1 }) => {
      if (times === 1) return usual;
      const counted = others.get(times) ?? make(`${name}-${times}`, tries * times);
      others.set(times, counted);
      return counted;
    };
  }

  return {
    create(name, tries, periodS = 60) {
      const counted = counters(name, tries, periodS);
      return async (visitor) => refuse(await counted(visitor).spend(visitor));
    },
    createLate(name, triesAMinute) {
      const tries = Math.ceil(triesAMinute / periodsAMinute);
      const counted = counters(name, tries, 60 / periodsAMinute);
      return {
        check: async (visitor) => refuse(await counted(visitor).look(visitor)),
        spend: async (visitor) => refuse(await counted(visitor).spend(visitor)),
      };
    },
  };
}
