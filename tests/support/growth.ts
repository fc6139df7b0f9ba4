import { expect } from 'vitest';

function costMs(run: () => void, times: number): number {
  const start = performance.now();
  for (let done = 0; done < times; done++) run();
  return performance.now() - start;
}

const factor = 4;
const leastCostMs = 0.2;
const rounds = 50;

/** A {@link growthOf} below this is linear. */
export const linear = 6;

/**
 * Measures and prints how a function's cost grows with its input: the cost ratio for four times the length. About 4 is
 * linear, 16 is quadratic, 1 is independent of the length. There is no absolute limit: both lengths alternate, the short
 * one four times as often, so that other load on the machine affects both, and the quickest round of each counts.
 * @param prepare makes a function for an input of so many times the length; best well under a millisecond
 */
export function growthOf(prepare: (scale: number) => () => void): number {
  const short = prepare(1);
  const long = prepare(factor);
  let times = 1;
  while (costMs(short, factor * times) < leastCostMs) times *= 2;
  let [leastShort, leastLong] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    leastShort = Math.min(leastShort, costMs(short, factor * times));
    leastLong = Math.min(leastLong, costMs(long, times));
  }
  const growth = (factor * leastLong) / leastShort;
  console.log(`${growth.toFixed(1)} ${expect.getState().currentTestName}`);
  return growth;
}
