import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileStore, StorageFull, type StoredFacts, type StoredFile } from '../contracts/file-store.ts';
import { createDraft } from './folder-file-draft.ts';
import { SharedFile } from './shared-file.ts';
import { asStorageFull, deleteIfThere, isSystemError } from './storage-errors.ts';
import { readFacts, writeFacts } from './stored-file-format.ts';

const keyPattern = /^[a-z0-9-]{1,200}$/;
const suffix = '.kept';
const partPattern = /^[a-z0-9-]{1,200}\.[0-9a-f-]{36}\.part$/;

/** A file that is older than this counts as too old by its own word, so that a wrong clock cannot keep it for ever. */
const maxClockErrorMs = 60_000;

export interface FolderFileStoreOptions {
  /** Made when it does not exist. Of one running instance: a second would delete what the first is writing. */
  folder: string;
  /** Of all files together, those being written included. */
  maxBytes: number;
  /**
   * After this a file is not given out any more; it is deleted at most one `sweepEveryMs` later. The default, 55
   * minutes, keeps the promise of one hour with a sweep every minute.
   */
  lifetimeMs?: number;
  sweepEveryMs?: number;
  /** ms since the epoch */
  now: () => number;
  /** Told of a file that could not be read or deleted in a sweep by the timer; the next sweep tries again. */
  onError: (error: unknown) => void;
}

interface Entry {
  readonly facts: StoredFacts;
  readonly file: SharedFile;
}

/**
 * A file store in one folder of this machine: `{key}.kept` when whole, `{key}.{random}.part` while being written.
 * Opening the store deletes leftovers and everything too old; files with other names are left alone.
 */
export async function openFolderFileStore(options: FolderFileStoreOptions): Promise<FileStore> {
  const { folder, maxBytes, now, onError, lifetimeMs = 55 * 60_000, sweepEveryMs = 60_000 } = options;
  /** Oldest first. */
  const entries = new Map<string, Entry>();
  /** Of whole files and of those being written, which count with their announced length. */
  let usedBytes = 0;

  const pathOf = (key: string) => join(folder, key + suffix);
  const tooOld = ({ madeAt }: StoredFacts) =>
    now() >= madeAt + lifetimeMs || madeAt > now() + maxClockErrorMs;

  function checkKey(key: string): void {
    if (!keyPattern.test(key)) throw new RangeError(`Not a key of a kept file: ${JSON.stringify(key)}`);
  }

  function register(key: string, facts: StoredFacts): Entry {
    forget(key);
    const entry = { facts, file: new SharedFile(() => openSame(pathOf(key), key, facts)) };
    entries.set(key, entry);
    usedBytes += facts.length;
    return entry;
  }

  /** Its readers keep what they have open. */
  function forget(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    usedBytes -= entry.facts.length;
  }

  async function remove(key: string): Promise<void> {
    forget(key);
    await deleteIfThere(pathOf(key));
  }

  /** Resolves with the room taken: nothing waits between the check and the taking, so it is never given twice. */
  async function takeRoom(length: number): Promise<void> {
    for (const [key, entry] of entries) {
      if (usedBytes + length <= maxBytes || length > maxBytes) break;
      if (!entry.file.inUse) await remove(key);
    }
    if (usedBytes + length > maxBytes) {
      throw new StorageFull(`${length} bytes on top of ${usedBytes} would pass the bound of ${maxBytes}`);
    }
    usedBytes += length;
  }

  /** The entry of a file that is on disk but not known: it was there before the start. */
  async function discover(key: string): Promise<Entry | null> {
    const facts = await readFactsOf(pathOf(key), key);
    if (facts === undefined) return null;
    const known = entries.get(key);
    if (known !== undefined) return known;
    if (facts !== null) return register(key, facts);
    await deleteIfThere(pathOf(key));
    return null;
  }

  async function sweep(): Promise<void> {
    for (const [key, { facts }] of [...entries]) if (tooOld(facts)) await remove(key);
  }

  async function readFolder(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      if (partPattern.test(name)) await deleteIfThere(join(folder, name));
      const key = name.slice(0, -suffix.length);
      if (name.endsWith(suffix) && keyPattern.test(key)) await discover(key);
    }
    const byAge = [...entries].sort(([, a], [, b]) => a.facts.madeAt - b.facts.madeAt);
    for (const [key, { facts }] of byAge) register(key, facts);
    await sweep();
  }

  await readFolder();
  const timer = setInterval(() => sweep().catch(onError), sweepEveryMs).unref();

  return {
    async create(key, { length, etag }) {
      checkKey(key);
      await takeRoom(length);
      const partPath = join(folder, `${key}.${randomUUID()}.part`);
      let facts: StoredFacts = { length, etag, madeAt: now() };
      let handle: FileHandle;
      try {
        handle = await open(partPath, 'wx+', 0o600);
      } catch (error) {
        usedBytes -= length;
        throw asStorageFull(error);
      }
      return createDraft({
        handle,
        length,
        makeTrailer() {
          facts = { length, etag, madeAt: now() };
          return writeFacts(key, facts);
        },
        async publish() {
          await rename(partPath, pathOf(key));
          usedBytes -= length;
          register(key, facts);
        },
        async discard() {
          usedBytes -= length;
          await deleteIfThere(partPath);
        },
      });
    },

    async open(key) {
      checkKey(key);
      // A second try is needed when the file was replaced between looking it up and opening it.
      for (let tries = 0; tries < 3; tries += 1) {
        const entry = entries.get(key) ?? (await discover(key));
        if (entry === null) return null;
        if (tooOld(entry.facts)) {
          await remove(key);
          return null;
        }
        const handle = await entry.file.acquire();
        if (handle !== null) return storedFile(entry, handle);
        if (entries.get(key) === entry) forget(key);
      }
      return null;
    },

    async facts(key) {
      const entry = entries.get(key);
      return entry === undefined || tooOld(entry.facts) ? null : entry.facts;
    },

    sweep,

    async close() {
      clearInterval(timer);
    },
  };
}

function storedFile({ facts, file }: Entry, handle: FileHandle): StoredFile {
  return {
    ...facts,
    async read(target, position) {
      const wanted = Math.min(target.length, Math.max(0, facts.length - position));
      if (wanted === 0) return 0;
      const { bytesRead } = await handle.read(target, 0, wanted, position);
      if (bytesRead === 0) throw new Error('A kept file became shorter while it was read');
      return bytesRead;
    },
    close: () => file.release(),
  };
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Undefined when there is no file, null when it is not a whole one. */
async function readFactsOf(path: string, key: string): Promise<StoredFacts | null | undefined> {
  const handle = await openIfThere(path);
  if (handle === null) return undefined;
  try {
    return await readFacts(handle, key);
  } finally {
    await handle.close();
  }
}

/** Opens the file when it is still the one with these facts: another may have been published in its place. */
async function openSame(path: string, key: string, expected: StoredFacts): Promise<FileHandle | null> {
  const handle = await openIfThere(path);
  if (handle === null) return null;
  let same = false;
  try {
    const facts = await readFacts(handle, key);
    same =
      facts?.etag === expected.etag && facts.length === expected.length && facts.madeAt === expected.madeAt;
  } finally {
    if (!same) await handle.close();
  }
  return same ? handle : null;
}
