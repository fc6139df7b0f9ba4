import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Finding } from '../../../../server/commands/checks.ts';

const othersRights = 0o077;
/** Sticky bit: a folder that is meant for everybody, like `/tmp`. */
const sticky = 0o1000;
const writableByAll = 0o002;

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/** A finding when others than the owner may use it; nothing when it is not there. */
async function openToOthers(path: string, mode: number): Promise<Finding[]> {
  try {
    const found = (await stat(path)).mode;
    if ((found & othersRights) === 0 || (found & sticky) !== 0) return [];
    const right = mode.toString(8).padStart(4, '0');
    const what = `${path} is open to other accounts (${octal(found)})`;
    return [{ level: 'error', what, todo: `chmod ${right} ${path}` }];
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Whether this account can do its work in the data folder; null when it is not there yet. */
async function isUsable(folder: string): Promise<boolean | null> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return isAbsent(error) ? null : false;
  }
}

export const permissions: Check = {
  name: 'permissions',
  todo: 'run this command and the site as the account that owns DATA_DIR',
  async run({ environment: { DATA_DIR, SITE_CONFIG } }) {
    const usable = await isUsable(DATA_DIR);
    if (usable === null)
      return [{ level: 'warning', what: `${DATA_DIR} is not there`, todo: 'the first start makes it' }];
    if (!usable)
      return [
        {
          level: 'error',
          what: `this account cannot write to ${DATA_DIR}`,
          todo: 'run this command and the site as the account that owns it',
        },
      ];
    const files = ['clipferry.db', 'clipferry.db-wal', 'clipferry.db-shm', 'secret-key'];
    const found = [
      ...(await openToOthers(DATA_DIR, 0o700)),
      ...(await Promise.all(files.map((name) => openToOthers(join(DATA_DIR, name), 0o600)))).flat(),
    ];
    if (((await stat(SITE_CONFIG)).mode & writableByAll) !== 0)
      found.push({
        level: 'warning',
        what: `every account can change ${SITE_CONFIG}`,
        todo: `chmod o-w ${SITE_CONFIG}`,
      });
    if (found.length > 0) return found;
    return [{ level: 'ok', what: `${DATA_DIR} and the files in it are for this account alone` }];
  },
};
