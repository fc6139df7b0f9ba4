import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const keyBytes = 32;

/** Writes a new key, unless another process has written one meanwhile. */
function create(file: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, randomBytes(keyBytes).toString('base64url'), { mode: 0o600 });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * The key that signs tickets: the operator's, or one generated once and stored in the data folder. Two processes that
 * start at the same time on an empty folder end up with the same key, since creating a hard link is atomic.
 * @throws Error when the folder cannot be written or the stored key is damaged
 */
export function secretKey(given: string | undefined, dataFolder: string): Uint8Array {
  if (given !== undefined) return Buffer.from(given);
  mkdirSync(dataFolder, { recursive: true });
  const file = join(dataFolder, 'secret-key');
  // A key that is there needs no room on a full disk.
  if (!existsSync(file)) create(file);
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64url');
  if (key.length < keyBytes) throw new Error(`${file} does not hold a key; delete it to have a new one made`);
  return key;
}
