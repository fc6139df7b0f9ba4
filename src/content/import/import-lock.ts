import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

const beatMs = 1000;
/** An import that has given no sign of life for this long was ended from outside. */
const usualDeadMs = 6000;
const lookMs = 250;

/** The right to import, which one process has at a time. */
export interface ImportLock {
  /** Whether the import before wrote articles and did not come to its end. */
  readonly wasUnfinished: boolean;
  /**
   * Must run in every transaction of the import.
   * @throws Error when another import took over because this one missed its heartbeat
   */
  confirm(transaction: Kysely<Tables>, unfinished: boolean): Promise<void>;
  release(): Promise<void>;
}

/**
 * Waits until no other import runs. Other imports are known by their heartbeat only, so that no two machines' clocks
 * are compared.
 * @param onWait called once when another import runs
 * @param deadMs time without a heartbeat after which another import counts as dead
 */
export async function takeImportLock(
  query: Kysely<Tables>,
  onWait: () => void,
  deadMs = usualDeadMs,
): Promise<ImportLock> {
  const owner = randomUUID();
  const read = () =>
    query
      .selectFrom('imports')
      .select(['owner', 'beats', 'unfinished'])
      .where('id', '=', 1)
      .executeTakeFirstOrThrow();
  let seen = await read();
  let since = performance.now();
  for (let isReported = false; ; ) {
    if (seen.owner === null || performance.now() - since > deadMs) {
      const { numUpdatedRows } = await query
        .updateTable('imports')
        .set(({ eb }) => ({ owner, beats: eb('beats', '+', 1) }))
        .where('id', '=', 1)
        .where('owner', 'is not distinct from', seen.owner)
        .where('beats', '=', seen.beats)
        .executeTakeFirst();
      if (numUpdatedRows === 1n) break;
    }
    if (!isReported) {
      isReported = true;
      onWait();
    }
    await pause(lookMs);
    const next = await read();
    if (next.owner !== seen.owner || next.beats !== seen.beats) since = performance.now();
    seen = next;
  }

  const beat = (transaction: Kysely<Tables>, set: { unfinished?: number; owner?: null } = {}) =>
    transaction
      .updateTable('imports')
      .set(({ eb }) => ({ ...set, beats: eb('beats', '+', 1) }))
      .where('owner', '=', owner)
      .executeTakeFirst();
  // A heartbeat that could not be written shows in the import's next transaction.
  const timer = setInterval(() => void beat(query).catch(() => {}), beatMs);
  return {
    wasUnfinished: seen.unfinished === 1,
    async confirm(transaction, unfinished) {
      const { numUpdatedRows } = await beat(transaction, { unfinished: unfinished ? 1 : 0 });
      if (numUpdatedRows !== 1n) throw new Error('Another import has taken over; import again.');
    },
    async release() {
      clearInterval(timer);
      await beat(query, { owner: null });
    },
  };
}
