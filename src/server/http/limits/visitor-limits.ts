import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
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

/** Imperceptible to a visitor who waits for a response; paid each time by one who retries at once. */
const slowness = { leastMs: 15, mostMs: 35 };

/**
 * Delays the refusal of a rate-limited visitor briefly, so that further requests cost the site little. The delay
 * varies: connections that retry together would otherwise all be answered in one iteration of the event loop.
 */
export async function delayRefusal({ key }: Failure): Promise<void> {
  if (key === 'rate_limited') await pause(randomInt(slowness.leastMs, slowness.mostMs));
}

/**
 * A whole address block has this multiple of one visitor's allowance, so that one visitor cannot exhaust a shared
 * address.
 */
export const blockFactor = 8;

function refuse(waitMs: number): void {
  if (waitMs > 0) throw new Failure('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000) });
}

/**
 * Whether a limit lets something pass, for data that is dropped rather than refused.
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

/** A visitor's allowance is renewed this often in a minute, so that a burst does not keep the process busy for long. */
const periodsAMinute = 12;

/** @param makeCounters left out, each process counts for itself */
export function createRateLimits(makeCounters: MakeRateCounters = countHere) {
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
    /**
     * @param name unique for each limit
     * @param tries number in each period
     * @param periodS seconds
     */
    create(name: string, tries: number, periodS = 60): RateLimit {
      const counted = counters(name, tries, periodS);
      return async (visitor) => refuse(await counted(visitor).spend(visitor));
    },
    /** Like `create`, in short periods. @param triesAMinute number of tries */
    createLate(name: string, triesAMinute: number): LateRateLimit {
      const tries = Math.ceil(triesAMinute / periodsAMinute);
      const counted = counters(name, tries, 60 / periodsAMinute);
      return {
        check: async (visitor) => refuse(await counted(visitor).look(visitor)),
        spend: async (visitor) => refuse(await counted(visitor).spend(visitor)),
      };
    },
  };
}

/** Makes limits for each visitor and for each address block. */
export type RateLimits = ReturnType<typeof createRateLimits>;

/** Counts an answer as one of a visitor's downloads until its connection is done with it. */
export type DownloadLimit = (visitor: Visitor, response: ServerResponse) => void;

/** A small file is through by then. */
const retryAfterS = 10;

/**
 * Limits concurrent downloads, or other long responses, for each visitor and address block: each holds a connection,
 * and kernel memory, for as long as its client likes.
 * @returns a function that throws `Failure` `downloads_limited` with the seconds after which a retry makes sense
 */
export function createDownloadLimit(atOnce: number): DownloadLimit {
  const running = new Map<string, number>();
  const add = (name: string, change: 1 | -1) => {
    const count = (running.get(name) ?? 0) + change;
    if (count === 0) running.delete(name);
    else running.set(name, count);
  };
  return ({ key, block, times = 1 }, response) => {
    const most = atOnce * times;
    const [one, all] = [`visitor ${key}`, `block ${block}`];
    if ((running.get(one) ?? 0) >= most || (running.get(all) ?? 0) >= most * blockFactor)
      throw new Failure('downloads_limited', { retryAfterS });
    // Its close event has fired already.
    if (response.closed) return;
    for (const name of [one, all]) add(name, 1);
    response.once('close', () => {
      for (const name of [one, all]) add(name, -1);
    });
  };
}
