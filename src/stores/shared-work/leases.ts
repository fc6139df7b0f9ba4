import type { Kysely } from 'kysely';
import type { Tables } from '../contracts/database.ts';

/** A lease that ends further ahead was taken while a clock was ahead, and is nobody's. */
const longestMs = 3_600_000;

/** Leases in the database. @param now milliseconds since 1970 */
export function createLeases(query: Kysely<Tables>, now: () => number) {
  return {
    /**
     * Takes or renews a lease.
     * @param forMs how long it belongs to the owner, longer than machines' clocks differ
     * @param takesOver also while it is another owner's, who learns it from `renew`
     * @returns false while it is another owner's
     */
    async take(name: string, owner: string, forMs: number, takesOver: boolean = false) {
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
    /**
     * Renews a lease. In a transaction, nobody takes the lease before the transaction ends.
     * @returns false when another owner has taken it meanwhile
     */
    async renew(name: string, owner: string, forMs: number) {
      const { numUpdatedRows } = await query
        .updateTable('leases')
        .set({ owned_until: now() + forMs })
        .where('name', '=', name)
        .where('owner', '=', owner)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    /** Gives it back, where it is the owner's. */
    async release(name: string, owner: string) {
      await query.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute();
    },
  };
}

/** Which of several processes alone does something, for a while. */
export type Leases = ReturnType<typeof createLeases>;
