import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Reads a file of an untrusted folder: no target of a symbolic link, no pipe, and at most a limited size.
 * @throws Error with a short description of the problem
 */
export function readOwnFile(path: string, maxBytes: number): Buffer {
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Error(code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${code ?? message})`, {
      cause,
    });
  }
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new Error('is no file');
    if (facts.size > maxBytes) throw new Error(`is larger than ${Math.floor(maxBytes / 1024)} kB`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
