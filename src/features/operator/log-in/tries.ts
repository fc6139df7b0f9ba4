import type { Kysely } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { Tally } from '../../../stores/tally/tally.ts';
import { createTallyStore } from '../../../stores/tally/tally-store.ts';
import { unitOf } from '../../../stores/tally/units.ts';

/** The address blocks of a day that have rows of their own; all others have one together. */
const mostBlocks = 50;
const others = 'others';

/** Counts log-ins that failed: sums, since they can be a million. */
export type TryStore = ReturnType<typeof createTries>;

/** @param now milliseconds since 1970 */
export function createTries(query: Kysely<Tables>, tally: Tally, now: () => number) {
  const store = createTallyStore(query, now);
  let today = 0;
  let blocks = new Set<string>();

  return {
    count(block: string, kind: 'failed' | 'limited') {
      const day = unitOf('day', now());
      if (day !== today) [today, blocks] = [day, new Set()];
      if (blocks.size < mostBlocks) blocks.add(block);
      tally.add('log_in', blocks.has(block) ? block : others, kind);
    },
    /** By day and address block, the newest days first: with a wrong password, and refused before it was looked at. */
    async list(limit: number) {
      const sums = await store.sums({
        ...{ subject: 'log_in', unit: 'day', from: 0, by: ['at', 'name'], details: ['failed'] },
      });
      return sums
        .map(({ at, name, total, part, lastAt }) => ({
          ...{ day: at, block: name, failed: part, limited: total - part, lastAt },
        }))
        .sort((one, other) => other.day - one.day || other.lastAt - one.lastAt)
        .slice(0, limit);
    },
  };
}
