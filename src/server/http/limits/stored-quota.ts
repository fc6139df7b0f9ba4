import type { Kysely } from 'kysely';
import { Failure } from '../../../failures/failures.ts';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { MakeRateCounters } from '../../../stores/contracts/rate-counters.ts';
import { createTallyStore } from '../../../stores/tally/tally-store.ts';
import { unitOf } from '../../../stores/tally/units.ts';
import type { Visitor } from '../visitor/visitor.ts';

/** An amount of stored data. */
interface StoredAmount {
  readonly rows: number;
  /** Bytes of the values as {@link storedBytes} counts them. */
  readonly bytes: number;
}

/** The amount that may be stored within a period. */
export interface StoredLimit {
  /** Whole seconds. */
  readonly periodS: number;
  /** By the visitors of one address block. */
  readonly block: StoredAmount;
  /** By all visitors together. */
  readonly all: StoredAmount;
}

/**
 * Reserves room for a visitor's data before it is stored.
 * @param bytes of all rows together
 * @param rows 1 by default
 * @throws Failure `rate_limited` when the visitor's address block or all visitors together have used up their share;
 *   nothing may be stored then
 */
export type StoredQuota = (visitor: Visitor, bytes: number, rows?: number) => Promise<void>;

/** Bytes of a row besides its values: its number, its times, its index entries. */
const rowOverhead = 100;

/** Bytes that a row takes in the database, roughly. @param values of its columns, or the row as an object */
export const storedBytes = (values: object): number =>
  rowOverhead + Buffer.byteLength(JSON.stringify(values));

/** All visitors together are one more thing that is counted. */
const everybody = 'all';

/**
 * @param makeCounters creates the counters of rate limits: instances that share them share the quota, others have one
 *   each
 * @param onRefused called with rows that are dropped
 */
export function createStoredQuotas(
  makeCounters: MakeRateCounters,
  onRefused: (table: string, rows: number) => void,
) {
  return {
    /** @param table unique for each quota @param limits all of them apply; with periods of different lengths */
    create(table: string, limits: readonly StoredLimit[]): StoredQuota {
      const counters = limits.flatMap(({ periodS, block, all }) =>
        (['rows', 'bytes'] as const).map((unit) => ({
          unit,
          counter: makeCounters(
            `stored-${table}-${unit}-${periodS}`,
            { visitor: block[unit], block: all[unit] },
            periodS,
          ),
        })),
      );
      return async ({ block }, bytes, rows = 1) => {
        for (const { unit, counter } of counters) {
          const waitMs = await counter.spend(
            { key: block, block: everybody },
            unit === 'rows' ? rows : bytes,
          );
          if (waitMs === 0) continue;
          onRefused(table, rows);
          throw new Failure('rate_limited', {
            retryAfterS: Math.ceil(waitMs / 1000),
            note: `${table}: no room for more ${unit}`,
          });
        }
      };
    },
  };
}

/** Makes quotas for the tables that visitors write. */
export type StoredQuotas = ReturnType<typeof createStoredQuotas>;

const days = 7;

/** Number of a table's rows refused within a week because of visitors' quotas. */
export const refusedLately = (query: Kysely<Tables>, table: string): Promise<number> =>
  createTallyStore(query, Date.now).total({
    ...{ subject: 'refused', unit: 'hour', from: unitOf('hour', Date.now()) - days * 24 + 1, name: table },
  });

/** Tells an operator of them. @param what plural */
export const refusedLine = (count: number, what: string): string =>
  `Refused within ${days} days, because visitors had left as many as there is room for: ${count} ${what}. See docs/operating.md, "Storage limits".`;
