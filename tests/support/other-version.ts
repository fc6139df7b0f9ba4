import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildMark, rebuilt } from './rebuilt.ts';

/** A checkout whose build has other files: serves as an instance of another version. */
export interface OtherVersion {
  /** The folder in which programs of that version start. */
  readonly folder: string;
  remove(): void;
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Makes another version of the built site in the current folder. */
export function makeOtherVersion(): OtherVersion {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-version-'));
  for (const name of readdirSync('.'))
    if (!['build', '.git', '.cache', 'data'].includes(name)) symlinkSync(resolve(name), join(folder, name));
  cpSync('build', join(folder, 'build'), { recursive: true, preserveTimestamps: false });
  for (const name of globSync('build/{server,client}/**/*.{js,css}', { cwd: folder })) {
    const file = join(folder, name);
    const named = file.replace(/(\/_app\/[^/]+)(\.\w+)$/, `$1${buildMark}$2`);
    const text = rebuilt(readFileSync(file, 'utf8'));
    for (const suffix of ['', '.br', '.gz']) rmSync(file + suffix, { force: true });
    writeFileSync(named, text);
    if (!name.startsWith('build/client/')) continue;
    writeFileSync(`${named}.br`, brotliCompressSync(text, quick));
    writeFileSync(`${named}.gz`, gzipSync(text));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
