import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { EnvironmentError } from '../../process/environment.ts';

/** Rights of the group and of everybody else. */
const othersRights = 0o077;
/** Of a folder that is meant for everybody, as `/tmp` is. */
const sticky = 0o1000;

/**
 * Makes the data folder when it is not there, and closes it to other accounts of the machine: visitors' messages and
 * the key that signs tickets lie in it.
 * @throws EnvironmentError when it cannot be made, closed or written to
 */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(folder);
    // A folder that somebody else owns and lets us use is theirs to close; what we make in it is closed by itself.
    if ((mode & othersRights) !== 0 && (mode & sticky) === 0 && uid === process.getuid?.())
      chmodSync(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EnvironmentError(`DATA_DIR: ${(error as Error).message}`, { cause: error });
  }
}
