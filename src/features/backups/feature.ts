import type { Feature } from '../../server/feature.ts';
import { backupVariables } from './variables.ts';

/** Without a place for archives, nothing of backups is loaded. */
export default {
  variables: backupVariables,
  checks: () => import('./checks.ts'),
  async open(core) {
    const { BACKUP_TO: to, BACKUP_KEEP: rule } = backupVariables.read(core.environment);
    return to === undefined ? {} : (await import('./server.ts')).openBackups(core, to, rule);
  },
} satisfies Feature;
