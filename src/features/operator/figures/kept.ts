import { LRUCache } from 'lru-cache';

/** Within this time a page has nothing new to say that an operator would miss. */
const keptMs = 5000;

/**
 * Reads the data of a page once in a while, however often it is asked for: reading a year takes some milliseconds of
 * the thread that answers visitors, and rendering it as many. The same data is the same object, which is rendered once.
 * @param now milliseconds since any moment
 */
export function keepBriefly<Data extends object>(
  now: () => number = () => performance.now(),
): (name: string, read: () => Promise<Data>) => Promise<Data> {
  const kept = new LRUCache<string, Promise<Data>>({
    ...{ max: 10, ttl: keptMs, ttlResolution: 0 },
    perf: { now },
  });
  return (name, read) => {
    const present = kept.get(name);
    if (present !== undefined) return present;
    const reading = read();
    kept.set(name, reading);
    // Only those who wait hear of a failure.
    reading.catch(() => {
      if (kept.peek(name) === reading) kept.delete(name);
    });
    return reading;
  };
}
