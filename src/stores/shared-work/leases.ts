import type { Kysely } from 'kysely';
import type { Tables } from '../contracts/database.ts';

/** Which of several processes alone does something, for a while. */
export interface Leases {
  /**
   * Takes or renews a lease.
   * @param forMs how long it belongs to the owner, longer than machines' clocks differ
   * @param takesOver also while it is another owner's, who learns it from `renew`
   * @returns false while it is another owner's
   */
  take(name: string, owner: string, forMs: number, takesOver?: boolean): Promise<boolean>;
  /**
   * Renews a lease. In a transaction, nobody takes the lease before the transaction ends.
   * @returns false when another owner has taken it meanwhile
   */
  renew(name: string, owner: string, forMs: number): Promise<boolean>;
  /** Gives it back, where it is the owner's. */
  release(name: string, owner: string): Promise<void>;
}

/** A lease that ends further ahead was taken while a clock was ahead, and is nobody's. */
const longestMs = 3_600_000;

/** Leases in the database. @param now milliseconds since 1970 */
export function createLeases(query: Kysely<Tables>, now: () => number): Leases {
  return {
    async take(name, owner, forMs, takesOver = false) {
      const time = now();
      const row = await query
        .insertInto('leases')
        .values({ name, owner, owned_until: time + forMs })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, owned_until: time + forMs })
            .where(({ eb, or, lit }) =>
              or([
                lit(takesOver),
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
    async renew(name, owner, forMs) {
      const { numUpdatedRows } = await query
        .updateTable('leases')
        .set({ owned_until: now() + forMs })
        .where('name', '=', name)
        .where('owner', '=', owner)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async release(name, owner) {
      await query.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute();
    },
  };
}
