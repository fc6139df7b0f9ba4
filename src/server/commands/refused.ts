import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createTallyStore } from '../../stores/tally/tally-store.ts';
import { unitOf } from '../../stores/tally/units.ts';

const days = 7;

/** Number of a table's rows refused within a week because of visitors' quotas. */
export const refusedLately = (query: Kysely<Tables>, table: string): Promise<number> =>
  createTallyStore(query, Date.now).total({
    ...{ subject: 'refused', unit: 'hour', from: unitOf('hour', Date.now()) - days * 24 + 1, name: table },
  });

/** Tells an operator of them. @param what plural */
export const refusedLine = (count: number, what: string): string =>
  `Refused within ${days} days, because visitors had left as many as there is room for: ${count} ${what}. See docs/operating.md, "Storage limits".`;
