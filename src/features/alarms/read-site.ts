import type { Kysely } from 'kysely';
import { createInstanceStore, type InstanceState } from '../../server/tally/instances.ts';
import { addOutcomes } from '../../server/tally/recent-counts.ts';
import { createShapeStore } from '../../server/tally/shapes.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import { createTallyStore } from '../../stores/tally/tally-store.ts';
import { unitOf } from '../../stores/tally/units.ts';
import type { SiteReading } from './conditions/condition.ts';

const usualHours = 7 * 24;
/** Longer than the hour after which a failed backup is repeated. */
const backupMs = 2 * 3_600_000;

/** What is read of the table of another feature. */
interface BackupColumns {
  id: number;
  ended_at: number;
  failure: string | null;
}

/** The reading of an instance while the database takes nothing: its own state only. */
export const ownReading = (now: number, state: InstanceState, databaseFailure: string): SiteReading => ({
  ...{ now, databaseFailure },
  instances: [{ id: '', startedAt: now, seenAt: now, state }],
  outcomes: state.lately,
  ...{ recent: [], before: [], shapes: [], backupFailure: null },
});

/** Reads what conditions look at. @param now milliseconds since 1970 */
export function createSiteReader(query: Kysely<Tables>, now: () => number): () => Promise<SiteReading> {
  const tally = createTallyStore(query, now);
  const instances = createInstanceStore(query, now);
  const shapes = createShapeStore(query, now);
  return async () => {
    const lastHour = unitOf('hour', now()) - 1;
    const named = { unit: 'hour', by: ['name', 'detail'] } as const;
    const all = await instances.list();
    const lastBackup = await query
      .$extendTables<{ backups: BackupColumns }>()
      .selectFrom('backups')
      .select('failure')
      // A site that makes none any more has no trouble with it.
      .where('ended_at', '>', now() - backupMs)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return {
      now: now(),
      instances: all,
      outcomes: addOutcomes(all.map(({ state }) => state.lately)),
      recent: await tally.sums({
        ...{ ...named, subject: ['strategy', 'shape', 'answer'], from: lastHour },
      }),
      before: await tally.sums({
        ...{ ...named, subject: 'answer', from: lastHour - usualHours, before: lastHour },
      }),
      shapes: await shapes.list(),
      databaseFailure: null,
      backupFailure: lastBackup?.failure ?? null,
    };
  };
}
