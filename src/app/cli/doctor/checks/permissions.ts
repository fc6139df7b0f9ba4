import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, error, type Finding, ok, warning } from '../../../../server/commands/checks.ts';

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
    const what = `${path} is open to other accounts (${octal(found)})`;
    return [error(what, `chmod ${octal(mode)} ${path}`)];
  } catch (thrown) {
    if (isAbsent(thrown)) return [];
    throw thrown;
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

const todo = 'run this command and the site as the account that owns DATA_DIR';

export const permissions: Check = {
  name: 'permissions',
  todo,
  async run({ environment: { DATA_DIR, SITE_CONFIG } }) {
    const usable = await isUsable(DATA_DIR);
    if (usable === null) return [warning(`${DATA_DIR} is not there`, 'the first start makes it')];
    if (!usable) return [error(`this account cannot write to ${DATA_DIR}`, todo)];
    const files = ['clipferry.db', 'clipferry.db-wal', 'clipferry.db-shm', 'secret-key'];
    const found = [
      ...(await openToOthers(DATA_DIR, 0o700)),
      ...(await Promise.all(files.map((name) => openToOthers(join(DATA_DIR, name), 0o600)))).flat(),
    ];
    if (((await stat(SITE_CONFIG)).mode & writableByAll) !== 0)
      found.push(warning(`every account can change ${SITE_CONFIG}`, `chmod o-w ${SITE_CONFIG}`));
    return found.length > 0 ? found : [ok(`${DATA_DIR} and the files in it are for this account alone`)];
  },
};
