import { createWriteStream, existsSync } from 'node:fs';
import { chmod, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Environment, readEnvironment } from '../../../process/environment.ts';
import { fromCaller } from '../../../server/commands/declaration.ts';
import { printError, printJson, printText } from '../../../server/commands/print.ts';
import { knownSteps } from '../../../stores/migrate.ts';
import { prepareDataFolder } from '../../../stores/open/data-folder.ts';
import { ArchiveRefused, checkSeal, type Manifest, readManifest, unpackArchive } from './archive.ts';
import { type RestoredDatabase, restoreDatabase } from './restore-database.ts';
import { withScratchFolder } from './scratch.ts';

/** The result of a restore. */
interface Restored extends RestoredDatabase {
  readonly manifest: Manifest;
  readonly replaced: boolean;
  /** New place of the archive's site configuration; null when the site has the same. */
  readonly configuration: string | null;
}

/** Unpacks an archive and checks all of it. @throws ArchiveRefused */
async function unpack(file: string, folder: string): Promise<Manifest> {
  await checkSeal(file);
  const found = await unpackArchive(file, folder);
  const manifestFile = found.find(({ name }) => name === 'manifest.json');
  if (manifestFile === undefined) throw new ArchiveRefused('it has no manifest');
  const manifest = readManifest(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const others = found.filter((one) => one !== manifestFile);
  const text = (files: Manifest['files']) =>
    files
      .map(({ name, size, sha256 }) => `${name} ${size} ${sha256}`)
      .sort()
      .join('\n');
  if (text(others) !== text(manifest.files))
    throw new ArchiveRefused('its files are not those of its manifest');
  return manifest;
}

/** Checks that run before anything is changed. @throws ArchiveRefused */
function checkManifest({ database, version }: Manifest): void {
  const unknown = database.migrations.filter((name) => !knownSteps.includes(name));
  if (unknown.length > 0)
    throw new ArchiveRefused(
      `version ${version} made it, which is newer: this one does not know the steps ${unknown.join(', ')}`,
    );
}

/** Keeps the archive's site configuration where the site has another one. It is the operator's file: never replaced. */
async function keepConfiguration(folder: string, { DATA_DIR, SITE_CONFIG }: Environment) {
  const archived = await readFile(join(folder, 'site.config.json'));
  if (archived.equals(await readFile(SITE_CONFIG))) return null;
  const place = join(DATA_DIR, 'site.config.restored.json');
  await rename(join(folder, 'site.config.json'), place);
  return place;
}

async function restoreUnpacked(
  folder: string,
  manifest: Manifest,
  environment: Environment,
  replace: boolean,
): Promise<Restored> {
  const { DATA_DIR } = environment;
  const key = join(DATA_DIR, 'secret-key');
  const hasKey = manifest.files.some(({ name }) => name === 'secret-key');
  const archivedKey = hasKey ? await readFile(join(folder, 'secret-key')) : null;
  if (!replace && existsSync(key) && archivedKey?.equals(await readFile(key)) !== true)
    throw new Error(
      `${DATA_DIR} is not empty: it has another key. --replace replaces all data that is there`,
    );
  const restored = await restoreDatabase({ folder, manifest, environment, replace });
  if (hasKey) {
    await chmod(join(folder, 'secret-key'), 0o600);
    await rename(join(folder, 'secret-key'), key);
  }
  return {
    ...restored,
    manifest,
    replaced: replace,
    configuration: await keepConfiguration(folder, environment),
  };
}

/** Steps that are left to the operator. */
function advice({ manifest, configuration }: Restored, { SECRET_KEY }: Environment): string[] {
  const { secretKey } = manifest;
  return [
    ...(secretKey === 'environment' && SECRET_KEY === undefined
      ? ['The site had its key in SECRET_KEY: set the same, or download links of before stop working.']
      : []),
    ...(secretKey !== 'environment' && SECRET_KEY !== undefined
      ? ['SECRET_KEY is set and replaces the restored key: download links of before stop working.']
      : []),
    ...(configuration === null
      ? []
      : [`The site configuration was another one: it is ${configuration}. SITE_CONFIG is as it was.`]),
  ];
}

function report(restored: Restored, environment: Environment, json: boolean): void {
  const { manifest, migrated, pictures, picturesIn, replaced, configuration } = restored;
  const { madeAt, version, database, secretKey } = manifest;
  const todo = advice(restored, environment);
  if (json) {
    const { engine, rows } = database;
    printJson({
      ...{ madeAt, version, engine, rows, migrated, pictures, picturesIn },
      ...{ secretKey, configuration, replaced, todo },
    });
    return;
  }
  const counted = Object.entries(database.rows).map(
    ([table, count]) => `${count} ${table.replace('_', ' ')}`,
  );
  const others = pictures > 0 ? `, ${pictures} pictures (now in ${picturesIn})` : '';
  printText(`Restored the backup of ${madeAt}, version ${version}: ${counted.join(', ')}${others}.`);
  if (migrated.length > 0) printText(`The database was brought up to date: ${migrated.join(', ')}.`);
  if (secretKey === 'file') printText('The key is restored: download links of before work.');
  for (const line of todo) printText(line);
}

/** Restores a backup. @returns 1 when the archive is refused; nothing is changed then */
export async function runRestore({
  file,
  replace,
  json,
}: {
  file: string;
  replace: boolean;
  json: boolean;
}): Promise<number> {
  const environment = readEnvironment(process.env);
  const given = file === '-' ? null : fromCaller(file);
  if (given !== null && !existsSync(given)) throw new Error(`There is no file ${given}`);
  prepareDataFolder(environment.DATA_DIR);
  try {
    // The data folder: files can be moved from there to their places.
    const restored = await withScratchFolder(environment.DATA_DIR, async (folder) => {
      const archive = given ?? join(folder, 'archive');
      if (given === null) await pipeline(process.stdin, createWriteStream(archive, { mode: 0o600 }));
      const manifest = await unpack(archive, folder);
      checkManifest(manifest);
      return restoreUnpacked(folder, manifest, environment, replace);
    });
    report(restored, environment, json);
    return 0;
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    printError(`${file} is refused, and nothing was changed: ${error.message}.`);
    return 1;
  }
}
