import type { Generated, Kysely, Selectable } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

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
export type EndedBackup = Omit<Selectable<BackupTable>, 'id'>;

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
