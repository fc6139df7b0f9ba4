function costMs(run: () => void, times: number): number {
  const start = performance.now();
  for (let done = 0; done < times; done++) run();
  return performance.now() - start;
}

const factor = 4;
const leastCostMs = 0.2;
const rounds = 50;

/**
 * How the work of a function grows with its input: how many times as much four times the length costs. Some 4 is linear,
 * 16 is quadratic, 1 is work that does not depend on the length. No time is a judge: both lengths take turns, the short
 * one four times as often, so that whatever else the machine does meets both alike, and of each the quickest round
 * counts.
 * @param prepare makes what works on an input of so many times the length; best in well under a millisecond
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
  return (factor * leastLong) / leastShort;
}
