import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Check, error, ok, warning } from '../../../../server/commands/checks.ts';
import { roomText } from '../../../../server/desk/texts.ts';

/** Free bytes that the database needs to go on for a while. */
const errorBelow = 200e6;
const warningBelow = 1e9;
const leastFreeNodes = 1000;

/** The folder, or the nearest one above it that is there. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

export const disk: Check = {
  name: 'disk',
  todo: 'let this account read the folder of DATA_DIR',
  async run({ environment: { DATA_DIR, KEPT_FILES_MB } }) {
    const { bavail, blocks, bsize, files, ffree } = await statfs(existing(resolve(DATA_DIR)));
    const free = bavail * bsize;
    const what = `${roomText(free)} of ${roomText(blocks * bsize)} free at ${DATA_DIR}`;
    const todo = `free some, or lower KEPT_FILES_MB (${KEPT_FILES_MB})`;
    if (free < errorBelow) return [error(what, todo)];
    // Some file systems make nodes as they are needed, and say that there are none.
    if (files > 0 && ffree < leastFreeNodes)
      return [error(`${what}, but room for ${ffree} files only`, todo)];
    return [free < warningBelow ? warning(what, todo) : ok(what)];
  },
};
