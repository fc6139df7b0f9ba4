import { Gauge } from 'prom-client';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import { type KeepRule, openPlace } from './archives.ts';
import { createBackupStore, createBackups } from './backups.ts';

const lookMs = 60_000;

/** Opens the place of the archives, and begins to look whether a backup is due. @throws EnvironmentError */
export async function openBackups(core: Core, to: string, rule: KeepRule): Promise<FeatureServer> {
  const { environment, database, logger, metrics, runCommand } = core;
  const store = createBackupStore(database.query);
  const place = await openPlace(to, environment.DATA_DIR, logger);
  const backups = createBackups({
    ...{ store, place, rule, now: Date.now },
    leases: createLeases(database.query, Date.now),
    makeArchive: async (path, signal) => void (await runCommand(['backup', path, '--json'], signal)),
    ended({ name, bytes, failure }, error) {
      if (failure === null) logger.info({ name, bytes }, 'backup made');
      else logger.error({ err: error, name }, 'backup failed');
    },
  });
  const failed = new Gauge({
    name: 'clipferry_backup_failed',
    help: '1 when the last backup failed.',
    registers: [metrics],
    async collect() {
      const [last] = await store.list(1);
      failed.set(last === undefined || last.failure === null ? 0 : 1);
    },
  });
  let isClosing = false;
  const look = () =>
    backups.look().catch((error: unknown) => {
      if (!isClosing) logger.error({ err: error }, 'no backup could be looked for');
    });
  const timer = setInterval(look, lookMs);
  timer.unref();
  return {
    desk: async () => [(await import('./desk/page.ts')).backupsPage({ store, place, backups, rule })],
    async close() {
      isClosing = true;
      clearInterval(timer);
      await backups.close();
      await place.close();
    },
  };
}
