import { Counter, type Registry } from 'prom-client';

/**
 * Makes a counter that is added up here and handed over when somebody reads it: that is cheaper than naming all labels
 * each time.
 * @param labelNames in the order in which their values are given
 * @returns adds an amount
 */
export function sumsOf(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
): (amount: number, first: string, ...others: string[]) => void {
  const sums = new Map<string, number>();
  new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, sum] of sums) {
        const values = key.split('\n');
        this.inc(Object.fromEntries(labelNames.map((label, at) => [label, values[at] ?? ''])), sum);
      }
    },
  });
  return (amount, first, ...others) => {
    let key = first;
    for (const one of others) key += `\n${one}`;
    sums.set(key, (sums.get(key) ?? 0) + amount);
  };
}

/** As {@link sumsOf}, for what is counted one by one. */
export function countsOf(
  ...counter: Parameters<typeof sumsOf>
): (first: string, ...others: string[]) => void {
  const add = sumsOf(...counter);
  return (first, ...others) => add(1, first, ...others);
}
