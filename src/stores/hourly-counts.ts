import { type Kysely, sql } from 'kysely';
import type { Tables } from './contracts/database.ts';

const hourMs = 3_600_000;
/** What is older says nothing to anybody. */
const keptHours = 30 * 24;

/** How often things happen within an hour, counted in the database for all instances together. */
export interface HourlyCounts {
  /**
   * Takes one of the things of this hour, atomically.
   * @param name of what is counted
   * @param most how many an hour has
   * @returns how many were taken with this one; null when none is left
   */
  take(name: string, most: number): Promise<number | null>;
  /** How many were taken in this hour. */
  taken(name: string): Promise<number>;
  /** Counts without a limit, and deletes counts of long ago. */
  add(name: string, count: number): Promise<void>;
  /** How many there were within a time before now. @param hours whole hours; this hour counts as one */
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
