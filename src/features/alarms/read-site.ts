import type { Kysely } from 'kysely';
import { createInstanceStore, type InstanceState, type KnownInstance } from '../../server/tally/instances.ts';
import { addOutcomes, type Outcomes } from '../../server/tally/recent-counts.ts';
import { createShapeStore, type KeptShape } from '../../server/tally/shapes.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import { createTallyStore, type NamedSum } from '../../stores/tally/tally-store.ts';
import { unitOf } from '../../stores/tally/units.ts';

/** Readings in which alarms are looked for. */
export interface SiteReading {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly instances: readonly KnownInstance[];
  /** The last outcomes of all instances within an hour, by kind: of those who count (`WhoCounts`), and of each `link`. */
  readonly outcomes: readonly Outcomes[];
  /** Sums of this hour and the one before: `strategy`, `shape` and `answer`. */
  readonly recent: readonly NamedSum[];
  /** `answer` of the seven days before these two hours. */
  readonly before: readonly NamedSum[];
  readonly shapes: readonly KeptShape[];
  /** Why the last backup failed; null where it did not, or none is made. */
  readonly backupFailure: string | null;
  /** Why the database takes nothing; null where it does. The reading is this instance's own then. */
  readonly databaseFailure: string | null;
}

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
