import { Counter, type Registry } from 'prom-client';

/**
 * Makes a counter that is counted here and handed over when somebody reads it: that is cheaper than naming all labels each
 * time.
 * @param labelNames in the order in which their values are given
 * @returns counts one more
 */
export function countsOf(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
): (first: string, ...others: string[]) => void {
  const counts = new Map<string, number>();
  new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, count] of counts) {
        const values = key.split('\n');
        this.inc(Object.fromEntries(labelNames.map((label, at) => [label, values[at] ?? ''])), count);
      }
    },
  });
  return (first, ...others) => {
    let key = first;
    for (const one of others) key += `\n${one}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
}
