import { existsSync } from 'node:fs';
import { pino } from 'pino';
import type { Check, Finding } from '../../server/commands/checks.ts';
import { madeAt, openPlace } from './archives.ts';
import { backupVariables } from './variables.ts';

const dayMs = 86_400_000;
/** A night that was missed. */
const oldMs = 1.5 * dayMs;

/** Whether the archives in the place of backups include a recent one. */
const backups: Check = {
  name: 'backups',
  todo: 'correct BACKUP_TO: no backup is made there',
  async run({ environment }): Promise<readonly Finding[]> {
    const { BACKUP_TO } = backupVariables.read(environment);
    if (BACKUP_TO === undefined)
      return [
        {
          ...{ level: 'ok', what: 'the site makes none itself' },
          todo: 'set BACKUP_TO, or run "backup" by a timer and watch its exit code',
        },
      ];
    // A folder is made by the site, which may be another account.
    if (!URL.canParse(BACKUP_TO) && !existsSync(BACKUP_TO))
      return [{ level: 'warning', what: `${BACKUP_TO} is not there`, todo: 'start the site: it makes it' }];
    const place = await openPlace(BACKUP_TO, environment.DATA_DIR, pino({ level: 'silent' }));
    try {
      const times = (await place.list()).flatMap((name) => madeAt(name) ?? []);
      const last = Math.max(...times);
      if (times.length === 0)
        return [
          {
            level: 'warning',
            what: `${place.title} holds no backup`,
            todo: 'start the site: it makes one at once',
          },
        ];
      const what = `${place.title} holds ${times.length} backups, the last of ${new Date(last).toISOString().slice(0, 16)}Z`;
      if (last >= Date.now() - oldMs) return [{ level: 'ok', what }];
      return [{ level: 'error', what, todo: 'read at the desk ("Backups") or in the log why it fails' }];
    } finally {
      await place.close();
    }
  },
};

export default [backups];
