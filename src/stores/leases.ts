import type { Kysely } from 'kysely';
import type { Tables } from './contracts/database.ts';

/** Which of several processes alone does something, for a while. */
export interface Leases {
  /**
   * Takes or renews a lease.
   * @param forMs how long it belongs to the owner, who renews it before
   * @returns false while it is another owner's
   */
  take(name: string, owner: string, forMs: number): Promise<boolean>;
  /** Gives it back, where it is the owner's. */
  give(name: string, owner: string): Promise<void>;
}

/** A lease that ends further ahead was taken while a clock was ahead, and is nobody's. */
const longestMs = 3_600_000;

/** Leases in the database. @param now milliseconds since 1970 */
export function createLeases(query: Kysely<Tables>, now: () => number): Leases {
  return {
    async take(name, owner, forMs) {
      const time = now();
      const row = await query
        .insertInto('leases')
        .values({ name, owner, owned_until: time + forMs })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, owned_until: time + forMs })
            .where(({ eb, or }) =>
              or([
                eb('leases.owner', '=', owner),
                eb('leases.owned_until', '<=', time),
                eb('leases.owned_until', '>', time + longestMs),
              ]),
            ),
        )
        .returning('owner')
        .executeTakeFirst();
      return row !== undefined;
    },
    async give(name, owner) {
      await query.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute();
    },
  };
}
