import type { Generated, Kysely, Selectable } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Leases } from '../../stores/shared-work/leases.ts';
import { archiveName, type KeepRule, outdated, type Place } from './archives.ts';

const minuteMs = 60_000;
/** A quiet time, by the clock of the machine. */
const hour = 3;
const minute = 17;
const againMs = 60 * minuteMs;
const limitMs = 50 * minuteMs;
/** Longer than a backup may take, so that nobody has to renew it. */
const leaseMs = 55 * minuteMs;
const leaseName = 'backup';

interface BackupParts {
  readonly store: BackupStore;
  readonly place: Place;
  readonly leases: Leases;
  readonly rule: KeepRule;
  /** Writes an archive of the site to a path. */
  readonly makeArchive: (path: string, signal: AbortSignal) => Promise<void>;
  readonly ended: (backup: EndedBackup, error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The last time at which a backup was due. @param now milliseconds since 1970 */
export function lastDue(now: number): number {
  const today = new Date(now).setHours(hour, minute, 0, 0);
  if (today <= now) return today;
  const yesterday = new Date(today);
  return yesterday.setDate(yesterday.getDate() - 1);
}

/** The site's own backups. */
export type Backups = ReturnType<typeof createBackups>;

/** Makes a backup each night, the first one at once, and a failed one again after an hour. */
export function createBackups(parts: BackupParts) {
  const { store, place, leases, rule, makeArchive, ended, now } = parts;
  const owner = crypto.randomUUID();
  const closing = new AbortController();

  async function isDue(): Promise<boolean> {
    const [[last], good] = await Promise.all([store.list(1), store.lastGood()]);
    if (good !== null && good.began_at >= lastDue(now())) return false;
    return last === undefined || last.failure === null || last.ended_at <= now() - againMs;
  }

  async function make(): Promise<EndedBackup> {
    const began_at = now();
    const name = archiveName(began_at);
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)]);
    let result: { bytes: number | null; failure: string | null };
    let failed: unknown = null;
    try {
      // Before the work: a place that is away, or shut, is found at once.
      const names = await place.list();
      const bytes = await place.add(name, (path) => makeArchive(path, signal));
      for (const old of outdated([...names, name], rule)) await place.remove(old);
      result = { bytes, failure: null };
    } catch (error) {
      // The next start goes on.
      if (closing.signal.aborted) throw error;
      failed = error;
      result = { bytes: null, failure: error instanceof Error ? error.message : String(error) };
    }
    const backup = { began_at, ended_at: now(), name, ...result };
    await store.add(backup);
    ended(backup, failed);
    return backup;
  }

  /** @param isWanted asked once nobody else can begin */
  async function makeAlone(isWanted: () => Promise<boolean>): Promise<EndedBackup | null> {
    if (!(await leases.take(leaseName, owner, leaseMs))) return null;
    try {
      return (await isWanted()) ? await make() : null;
    } finally {
      await leases.release(leaseName, owner);
    }
  }

  let running: Promise<EndedBackup | null> | null = null;
  const once = (isWanted: () => Promise<boolean>) => {
    // The lease is this instance's already while it makes one.
    if (running !== null) return Promise.resolve(null);
    running = makeAlone(isWanted).finally(() => {
      running = null;
    });
    return running;
  };

  return {
    /** Makes a backup when it is time, and no instance is at it. */
    async look() {
      if (await isDue()) await once(isDue);
    },
    /** Makes one now. @returns null while another one is being made */
    make: () => once(async () => true),
    /** Ends a running one. */
    async close() {
      closing.abort();
      await running?.catch(() => null);
    },
  };
}

/** A scheduled backup that has ended. */
interface BackupTable {
  id: Generated<number>;
  began_at: number;
  ended_at: number;
  /** The archive's name. */
  name: string;
  /** Null where it failed. */
  bytes: number | null;
  /** The reason; null where there is an archive. */
  failure: string | null;
}

/** A scheduled backup that has ended. Times are milliseconds since 1970. */
type EndedBackup = Omit<Selectable<BackupTable>, 'id'>;

const keptMs = 400 * 86_400_000;

const columns = ['began_at', 'ended_at', 'name', 'bytes', 'failure'] as const;

/** How backups ended. */
export type BackupStore = ReturnType<typeof createBackupStore>;

export function createBackupStore(database: Kysely<Tables>) {
  const query = database.$extendTables<{ backups: BackupTable }>();
  const newest = () => query.selectFrom('backups').select(columns).orderBy('id', 'desc');
  return {
    async add(ended: EndedBackup) {
      await query.insertInto('backups').values(ended).execute();
      await query
        .deleteFrom('backups')
        .where('ended_at', '<', ended.ended_at - keptMs)
        .execute();
    },
    /** The newest first. */
    list: (limit: number) => newest().limit(limit).execute(),
    /** The last one that there is an archive of. */
    lastGood: async () => (await newest().where('failure', 'is', null).limit(1).executeTakeFirst()) ?? null,
  };
}
