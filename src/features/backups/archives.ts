import { createReadStream } from 'node:fs';
import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { EnvironmentError } from '../../process/variables.ts';
import { leastPartBytes, type ObjectStore } from '../../stores/contracts/object-store.ts';
import { openObjectStore } from '../../stores/open/object-store.ts';

/** Numbers of days, weeks and months whose newest archives are kept. */
export interface KeepRule {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

const dayMs = 86_400_000;
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const mondayMs = 4 * dayMs;

const named = /^clipferry-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)\.tar$/;

/** The name of an archive that is made now. @param at milliseconds since 1970 */
export const archiveName = (at: number): string =>
  `clipferry-${new Date(at).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.tar`;

/** The time in an archive's name, in milliseconds since 1970; null for another file. */
export function madeAt(name: string): number | null {
  const [, day, hours, minutes, seconds] = named.exec(name) ?? [];
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(at) ? null : at;
}

/** Archives that a rule does not keep. Other files are never among them, nor is the newest archive. */
export function outdated(names: readonly string[], { days, weeks, months }: KeepRule): readonly string[] {
  const archives = names
    .flatMap((name) => {
      const at = madeAt(name);
      return at === null ? [] : [{ name, at }];
    })
    .sort((one, other) => other.at - one.at);
  const kept = new Set(archives.slice(0, 1).map(({ name }) => name));
  const keepNewest = (count: number, periodOf: (at: number) => number | string) => {
    const periods = new Set<number | string>();
    for (const { name, at } of archives) {
      const period = periodOf(at);
      if (periods.has(period)) continue;
      if (periods.size === count) return;
      periods.add(period);
      kept.add(name);
    }
  };
  keepNewest(days, (at) => Math.floor(at / dayMs));
  keepNewest(weeks, (at) => Math.floor((at - mondayMs) / (7 * dayMs)));
  keepNewest(months, (at) => new Date(at).toISOString().slice(0, 7));
  return archives.map(({ name }) => name).filter((name) => !kept.has(name));
}

/** A place for archives. */
export interface Place {
  /** Its name for the operator, without secrets. */
  readonly title: string;
  /** The names of files there. */
  list(): Promise<readonly string[]>;
  /**
   * Has an archive made, and keeps it.
   * @param make writes it to a path
   * @returns its bytes
   */
  add(name: string, make: (path: string) => Promise<void>): Promise<number>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

function folderPlace(folder: string): Place {
  return {
    title: folder,
    async list() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK);
      return readdir(folder);
    },
    async add(name, make) {
      const path = join(folder, name);
      await make(path);
      return (await stat(path)).size;
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    close: async () => {},
  };
}

/** Uploads a file in parts, one in memory at a time. */
async function upload(objects: ObjectStore, key: string, path: string): Promise<void> {
  const started = await objects.beginUpload(key, { contentType: 'application/x-tar' });
  try {
    const tags: string[] = [];
    for await (const part of createReadStream(path, { highWaterMark: 2 * leastPartBytes }))
      tags.push(await objects.putPart(started, tags.length + 1, part));
    await objects.completeUpload(started, tags);
  } catch (error) {
    await objects.abortUpload(started).catch(() => null);
    throw error;
  }
}

async function s3Place(address: URL, dataFolder: string, logger: Logger): Promise<Place> {
  const [bucket = '', ...folders] = address.pathname.split('/').filter(Boolean);
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const objects = await openObjectStore(
    {
      S3_ENDPOINT: address.origin,
      S3_BUCKET: bucket,
      S3_REGION: address.searchParams.get('region') ?? 'us-east-1',
      S3_ACCESS_KEY_ID: decodeURIComponent(address.username),
      S3_SECRET_ACCESS_KEY: decodeURIComponent(address.password),
    },
    logger,
  ).catch((error: unknown) => {
    // It blames a variable of the files' store.
    if (error instanceof EnvironmentError)
      throw new EnvironmentError(error.message.replace(/^\w+/, 'BACKUP_TO'), { cause: error });
    throw error;
  });
  if (objects === null) throw new Error('The address names no bucket, key or secret.');
  return {
    title: `${address.origin}/${bucket}/${prefix}`,
    async list() {
      const names: string[] = [];
      for await (const { key } of objects.list(prefix)) names.push(key.slice(prefix.length));
      return names;
    },
    async add(name, make) {
      const path = join(dataFolder, name);
      try {
        await make(path);
        await upload(objects, `${prefix}${name}`, path);
        return (await stat(path)).size;
      } finally {
        await rm(path, { force: true });
      }
    },
    remove: (name) => objects.delete(`${prefix}${name}`),
    close: () => objects.close(),
  };
}

/**
 * Opens the place that `BACKUP_TO` names.
 * @param dataFolder has room for an archive on its way to S3
 * @throws EnvironmentError when S3 refuses the key or the bucket
 */
export async function openPlace(to: string, dataFolder: string, logger: Logger): Promise<Place> {
  return URL.canParse(to) ? s3Place(new URL(to), dataFolder, logger) : folderPlace(to);
}
