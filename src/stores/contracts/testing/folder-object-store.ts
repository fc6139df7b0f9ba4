import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type ObjectDescription,
  type ObjectFacts,
  type ObjectStore,
  ObjectStoreRefused,
  type ObjectUpload,
} from '../object-store.ts';

const name = 'The folder';

interface ObjectFile {
  readonly bytes: Buffer;
  readonly facts: ObjectFacts;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** An object store in a folder: a file for each object, and a folder for each upload. */
export function openFolderObjectStore(folder: string): ObjectStore {
  const objects = join(folder, 'objects');
  const uploads = join(folder, 'uploads');
  const pathOf = (key: string) => join(objects, encodeURIComponent(key));
  const pathOfUpload = ({ key, id }: ObjectUpload) => join(uploads, `${encodeURIComponent(key)}@${id}`);
  const ageOf = async (path: string) => (Date.now() - (await stat(path)).mtimeMs) / 1000;

  /** Names of a folder's entries with their keys. */
  async function namesIn(path: string, prefix: string) {
    const names = await readdir(path).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    return names
      .map((entry) => ({ entry, key: decodeURIComponent(entry.replace(/@[^@]*$/, '')) }))
      .filter(({ key }) => key.startsWith(prefix));
  }

  async function write(key: string, bytes: Uint8Array, { metadata = {} }: ObjectDescription) {
    await mkdir(objects, { recursive: true });
    const head = Buffer.from(`${JSON.stringify(metadata)}\n`);
    await writeFile(pathOf(key), Buffer.concat([head, bytes]));
  }

  async function read(key: string): Promise<ObjectFile | null> {
    try {
      const file = await readFile(pathOf(key));
      const end = file.indexOf('\n');
      const bytes = file.subarray(end + 1);
      const metadata = JSON.parse(file.toString('utf8', 0, end)) as Record<string, string>;
      const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
      return { bytes, facts: { length: bytes.length, etag, metadata } };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  return {
    name,
    isAway: false,
    onReturn() {},
    put: write,
    facts: async (key) => (await read(key))?.facts ?? null,

    async open(key, { start = 0, etag } = { start: 0, etag: '' }) {
      const file = await read(key);
      if (file === null) return null;
      if (etag && etag !== file.facts.etag) throw new ObjectStoreRefused(name, 412, 'PreconditionFailed');
      const bytes = file.bytes.subarray(start);
      return { ...file.facts, length: bytes.length, body: Readable.from(bytes.length > 0 ? [bytes] : []) };
    },

    delete: (key) => rm(pathOf(key), { force: true }),

    async *list(prefix) {
      for (const { entry, key } of await namesIn(objects, prefix))
        yield { key, ageS: await ageOf(join(objects, entry)) };
    },

    async beginUpload(key, description) {
      const upload = { key, id: randomUUID() };
      await mkdir(pathOfUpload(upload), { recursive: true });
      await writeFile(join(pathOfUpload(upload), 'description'), JSON.stringify(description));
      return upload;
    },

    async putPart(upload, number, bytes) {
      await writeFile(join(pathOfUpload(upload), String(number)), bytes);
      return String(number);
    },

    async completeUpload(upload, tags) {
      const path = pathOfUpload(upload);
      const parts = await Promise.all(tags.map((tag) => readFile(join(path, tag))));
      const description = JSON.parse(await readFile(join(path, 'description'), 'utf8')) as ObjectDescription;
      await write(upload.key, Buffer.concat(parts), description);
      await rm(path, { recursive: true });
    },

    abortUpload: (upload) => rm(pathOfUpload(upload), { recursive: true, force: true }),

    async uploads(prefix) {
      const names = await namesIn(uploads, prefix);
      return Promise.all(
        names.map(async ({ entry, key }) => ({
          key,
          id: entry.slice(entry.lastIndexOf('@') + 1),
          ageS: await ageOf(join(uploads, entry)),
        })),
      );
    },

    async close() {},
  };
}
