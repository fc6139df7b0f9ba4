import { createReadStream } from 'node:fs';
import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { EnvironmentError } from '../../process/variables.ts';
import { leastPartBytes, type ObjectStore } from '../../stores/contracts/object-store.ts';
import { openObjectStore } from '../../stores/open/object-store.ts';

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
