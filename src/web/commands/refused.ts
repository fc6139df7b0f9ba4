import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createHourlyCounts } from '../../stores/hourly-counts.ts';
import { refusedName } from '../http/limits/open-stored-quotas.ts';

const days = 7;

/** How many rows of a table were refused within a week, because visitors may store no more of them. */
export const refusedLately = (query: Kysely<Tables>, table: string): Promise<number> =>
  createHourlyCounts(query, Date.now).sum(refusedName(table), days * 24);

/** Tells an operator of them. @param what plural */
export const refusedLine = (count: number, what: string): string =>
  `Refused within ${days} days, because visitors had left as many as there is room for: ${count} ${what}. See docs/operating.md, "What visitors can store".`;
