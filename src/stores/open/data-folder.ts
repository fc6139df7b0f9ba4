import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { EnvironmentError } from '../../process/variables.ts';

/** Permissions of the group and of others. */
const othersRights = 0o077;
/** The mode bit of a folder shared by all accounts, such as `/tmp`. */
const sticky = 0o1000;

/**
 * Creates the data folder if necessary, and closes it to the machine's other accounts: it contains visitors' messages
 * and the key that signs tickets.
 * @throws EnvironmentError when it cannot be created, closed or written to
 */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(folder);
    // A folder owned by another account is that account's to close; files that we create in it are closed individually.
    if ((mode & othersRights) !== 0 && (mode & sticky) === 0 && uid === process.getuid?.())
      chmodSync(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EnvironmentError(`DATA_DIR: ${(error as Error).message}`, { cause: error });
  }
}
