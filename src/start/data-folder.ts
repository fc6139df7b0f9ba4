import { accessSync, constants, mkdirSync } from 'node:fs';
import { EnvironmentError } from './environment.ts';

/**
 * Makes the data folder when it is not there.
 * @throws EnvironmentError when it cannot be made or written to
 */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EnvironmentError(`DATA_DIR: ${(error as Error).message}`, { cause: error });
  }
}
