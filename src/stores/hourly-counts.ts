import { type Kysely, sql } from 'kysely';
import type { Tables } from './contracts/database.ts';

const hourMs = 3_600_000;
/** Older counts are never shown. */
const keptHours = 30 * 24;

/** Counts of events within an hour, in the database for all instances together. */
export interface HourlyCounts {
  /**
   * Takes one unit of this hour, atomically.
   * @param name of the count
   * @param most units in an hour
   * @returns the number taken including this one; null when none is left
   */
  take(name: string, most: number): Promise<number | null>;
  /** Number taken in this hour. */
  taken(name: string): Promise<number>;
  /** Counts without a limit, and deletes counts of long ago. */
  add(name: string, count: number): Promise<void>;
  /** The number within a period before now. @param hours whole hours; this hour counts as one */
  sum(name: string, hours: number): Promise<number>;
}

/** @param now milliseconds since 1970 */
export function createHourlyCounts(query: Kysely<Tables>, now: () => number): HourlyCounts {
  const thisHour = () => Math.floor(now() / hourMs);
  const sumSince = async (name: string, hour: number) => {
    const { total } = await query
      .selectFrom('hourly_counts')
      .select(({ fn }) => fn.sum<number | string | null>('count').as('total'))
      .where('name', '=', name)
      .where('hour', '>=', hour)
      .executeTakeFirstOrThrow();
    return Number(total);
  };

  return {
    async take(name, most) {
      if (most <= 0) return null;
      const row = await query
        .insertInto('hourly_counts')
        .values({ name, hour: thisHour(), count: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['name', 'hour'])
            .doUpdateSet({ count: sql<number>`hourly_counts.count + 1` })
            .where('hourly_counts.count', '<', most),
        )
        .returning('count')
        .executeTakeFirst();
      return row === undefined ? null : Number(row.count);
    },

    taken: (name) => sumSince(name, thisHour()),

    async add(name, count) {
      await query
        .insertInto('hourly_counts')
        .values({ name, hour: thisHour(), count })
        .onConflict((conflict) =>
          conflict
            .columns(['name', 'hour'])
            .doUpdateSet({ count: sql<number>`hourly_counts.count + excluded.count` }),
        )
        .execute();
      await query
        .deleteFrom('hourly_counts')
        .where('hour', '<', thisHour() - keptHours)
        .execute();
    },

    sum: (name, hours) => sumSince(name, thisHour() - hours + 1),
  };
}
