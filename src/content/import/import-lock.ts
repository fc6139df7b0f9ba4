import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';

const leaseName = 'import';
/** An import that was ended from outside blocks the next one for so long. */
const leaseMs = 30_000;
const renewMs = 5000;
const lookMs = 250;

/**
 * Waits until no other import runs.
 * @param onWait called once when another import runs
 * @param now milliseconds since 1970
 */
export async function takeImportLock(query: Kysely<Tables>, onWait: () => void, now: () => number) {
  const owner = randomUUID();
  const leases = createLeases(query, now);
  const take = () => leases.take(leaseName, owner, leaseMs);
  if (!(await take())) {
    onWait();
    do await pause(lookMs);
    while (!(await take()));
  }
  const { unfinished } = await query.selectFrom('imports').select('unfinished').executeTakeFirstOrThrow();
  // A renewal that failed shows in the import's next transaction.
  const timer = setInterval(() => void leases.renew(leaseName, owner, leaseMs).catch(() => {}), renewMs);
  return {
    /** Whether the import before wrote articles and did not come to its end. */
    wasUnfinished: unfinished === 1,
    /**
     * Must run in every transaction of the import.
     * @throws Error when another import took over because this one has not renewed its lease
     */
    async confirm(transaction: Kysely<Tables>, isUnfinished: boolean) {
      if (!(await createLeases(transaction, now).renew(leaseName, owner, leaseMs)))
        throw new Error('Another import has taken over; import again.');
      await transaction
        .updateTable('imports')
        .set({ unfinished: isUnfinished ? 1 : 0 })
        .execute();
    },
    async release() {
      clearInterval(timer);
      await leases.release(leaseName, owner);
    },
  };
}

/** The right to import, which one process has at a time. */
export type ImportLock = Awaited<ReturnType<typeof takeImportLock>>;
