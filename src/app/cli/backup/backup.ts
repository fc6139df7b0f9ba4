import { createReadStream, existsSync, rmSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import packageFile from '../../../../package.json' with { type: 'json' };
import { type Environment, readEnvironment } from '../../../process/environment.ts';
import { fromCaller, UsageError } from '../../../server/commands/declaration.ts';
import { createProgress, printError, printJson, printText } from '../../../server/commands/print.ts';
import { commandLog } from '../../../server/commands/stores.ts';
import type { ObjectStore } from '../../../stores/contracts/object-store.ts';
import { prepareDataFolder } from '../../../stores/open/data-folder.ts';
import { openObjectStore } from '../../../stores/open/object-store.ts';
import { withPostgresql } from '../postgresql.ts';
import {
  type AddFile,
  type ArchivedFile,
  type CopiedDatabase,
  type Manifest,
  writeArchive,
} from './archive.ts';
import { ofThisProcess, withRemoval, withScratchFolder } from './scratch.ts';
import { copySqlite } from './sqlite-copy.ts';

type Progress = ReturnType<typeof createProgress>;

const pageBytes = 4096;
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

async function copyDatabase(
  { DATABASE_URL, DATA_DIR }: Environment,
  to: string,
  progress: Progress,
): Promise<CopiedDatabase> {
  if (DATABASE_URL === undefined)
    return copySqlite(join(DATA_DIR, 'clipferry.db'), to, (done, all) =>
      progress.show('MB copied', megabytes(done * pageBytes), megabytes(all * pageBytes)),
    );
  const { copyPostgresql } = await import('./postgresql-copy.ts');
  return withPostgresql(DATABASE_URL, (database) => copyPostgresql(database, to));
}

/** Adds every picture that the store has. They never change, and the database was copied before. */
async function addPictures(objects: ObjectStore, add: AddFile, progress: Progress): Promise<ArchivedFile[]> {
  const added: ArchivedFile[] = [];
  for await (const { key } of objects.list('pictures/')) {
    const object = await objects.open(key);
    if (object === null) continue;
    added.push(await add(key, object.length, object.body));
    progress.show('pictures', added.length, added.length);
  }
  return added;
}

async function addFile(add: AddFile, name: string, path: string): Promise<ArchivedFile> {
  const { size } = await stat(path);
  // No further than that: somebody may append to it.
  return add(name, size, size === 0 ? emptyBody() : createReadStream(path, { end: size - 1 }));
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

async function* onlyBody(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

interface Contents {
  readonly environment: Environment;
  readonly objects: ObjectStore | null;
  readonly scratch: string;
  readonly progress: Progress;
}

/** Adds everything that there is, and last the manifest. */
async function addEverything({ environment, objects, scratch, progress }: Contents, add: AddFile) {
  const { DATA_DIR, SITE_CONFIG, SECRET_KEY } = environment;
  const copy = join(scratch, 'database');
  const database = await copyDatabase(environment, copy, progress);
  const files = [await addFile(add, 'database.sqlite', copy)];
  const key = join(DATA_DIR, 'secret-key');
  const hasKey = existsSync(key);
  if (hasKey) files.push(await addFile(add, 'secret-key', key));
  files.push(await addFile(add, 'site.config.json', SITE_CONFIG));
  if (objects !== null) files.push(...(await addPictures(objects, add, progress)));
  const manifest: Manifest = {
    format: 1,
    version: packageFile.version,
    node: process.versions.node,
    madeAt: new Date().toISOString(),
    database,
    secretKey: SECRET_KEY !== undefined ? 'environment' : hasKey ? 'file' : 'none',
    files,
  };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  await add('manifest.json', bytes.length, onlyBody(bytes));
  return manifest;
}

/** Writes an archive under another name, and gives it its name when it is whole. */
async function writeWhole<R>(path: string, write: (to: Writable) => Promise<R>): Promise<R> {
  const draft = `${path}${ofThisProcess}partial`;
  return withRemoval(
    () => rmSync(draft, { force: true }),
    async () => {
      // It exists before anything can fail: a stream that opens it later might do so after its removal.
      const handle = await open(draft, 'wx', 0o600);
      const written = await write(handle.createWriteStream({ flush: true }));
      await rename(draft, path);
      return written;
    },
  );
}

/** Backs up a running site. */
export async function runBackup({ file, json }: { file: string; json: boolean }): Promise<number> {
  if (file === '-' && json) throw new UsageError('--json cannot share standard output with the archive');
  if (file === '-' && process.stdout.isTTY)
    throw new UsageError('standard output is a terminal: send the archive to a file or another program');
  // A site on the same machine goes first: its visitors wait, a backup does not.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const environment = readEnvironment(process.env);
  const path = file === '-' ? null : fromCaller(file);
  const progress = createProgress();
  const objects = await openObjectStore(environment, commandLog());
  try {
    if (objects?.isAway)
      throw new Error(`${objects.name} does not answer: its pictures cannot be backed up now`);
    // Beside what it becomes; `/tmp` may be memory.
    if (path === null) prepareDataFolder(environment.DATA_DIR);
    const place = path === null ? environment.DATA_DIR : dirname(path);
    const manifest = await withScratchFolder(place, (scratch) => {
      const write = (to: Writable) =>
        writeArchive(to, (add) => addEverything({ environment, objects, scratch, progress }, add));
      return path === null ? write(process.stdout) : writeWhole(path, write);
    });
    progress.end();
    await report(manifest, path, json);
    return 0;
  } finally {
    progress.end();
    await objects?.close();
  }
}

async function report({ files, database, ...rest }: Manifest, path: string | null, json: boolean) {
  const { rows, engine } = database;
  const pictures = files.filter(({ name }) => name.startsWith('pictures/')).length;
  const size = path === null ? null : (await stat(path)).size;
  if (json) {
    const { madeAt, version, secretKey } = rest;
    printJson({ file: path, size, madeAt, version, engine, rows, pictures, secretKey });
    return;
  }
  const counted = Object.entries(rows).map(([table, count]) => `${count} ${table.replace('_', ' ')}`);
  const key = rest.secretKey === 'file' ? 'the key' : 'no key (it is not in DATA_DIR)';
  const text = `${path ?? 'The archive'}: ${counted.join(', ')}, ${key}, the site configuration${pictures > 0 ? `, ${pictures} pictures` : ''}${size === null ? '' : `; ${(size / 1e6).toFixed(1)} MB`}. Keep it confidential.`;
  if (path === null) printError(text);
  else printText(text);
}
