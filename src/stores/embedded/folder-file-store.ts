import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  defaultLifetimeMs,
  defaultSweepMs,
  type FileDraft,
  type FileStore,
  StorageFull,
  type StoredFacts,
  type StoredFile,
} from '../contracts/file-store.ts';
import { createDraft, readFacts, SharedFile, writeFacts } from './folder-file.ts';
import { asStorageFull, deleteIfThere, isSystemError } from './storage-errors.ts';

const keyPattern = /^[a-z0-9-]{1,200}$/;
const suffix = '.kept';
const partPattern = /^[a-z0-9-]{1,200}\.[0-9a-f-]{36}\.part$/;

/** A file with a timestamp older than this counts as expired, so that a wrong clock cannot keep it for ever. */
const maxClockErrorMs = 60_000;

interface FolderFileStoreOptions {
  /** Made when it does not exist. Of one running instance: a second would delete what the first is writing. */
  folder: string;
  /** For all files together, including unfinished ones. */
  maxBytes: number;
  /** After this a file is not given out any more; it is deleted at most one `sweepEveryMs` later. */
  lifetimeMs?: number;
  sweepEveryMs?: number;
  /** ms since the epoch */
  now: () => number;
  /** Called for a file that a timed sweep could not read or delete; the next sweep tries again. */
  onError: (error: unknown) => void;
}

interface Entry {
  readonly facts: StoredFacts;
  readonly file: SharedFile;
}

/**
 * A file store in one folder of this machine: `{key}.kept` when complete, `{key}.{random}.part` while being written.
 * Opening the store deletes leftovers and expired files; files with other names are left alone.
 */
export async function openFolderFileStore(options: FolderFileStoreOptions): Promise<FileStore> {
  const store = new FolderFileStore(options);
  await store.start();
  return store;
}

class FolderFileStore implements FileStore {
  readonly #options: FolderFileStoreOptions;
  readonly #lifetimeMs: number;
  #timer: NodeJS.Timeout | undefined;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Bytes of complete files, and announced bytes of unfinished ones. */
  #usedBytes = 0;

  constructor(options: FolderFileStoreOptions) {
    this.#options = options;
    this.#lifetimeMs = options.lifetimeMs ?? defaultLifetimeMs;
  }

  async create(key: string, { length, etag }: Pick<StoredFacts, 'length' | 'etag'>): Promise<FileDraft> {
    checkKey(key);
    await this.#takeRoom(length);
    const partPath = join(this.#options.folder, `${key}.${randomUUID()}.part`);
    const factsNow = (): StoredFacts => ({ length, etag, madeAt: this.#options.now() });
    let facts = factsNow();
    let handle: FileHandle;
    try {
      handle = await open(partPath, 'wx+', 0o600);
    } catch (error) {
      this.#usedBytes -= length;
      throw asStorageFull(error);
    }
    return createDraft({
      handle,
      length,
      makeTrailer() {
        facts = factsNow();
        return writeFacts(key, facts);
      },
      publish: async () => {
        await rename(partPath, this.#pathOf(key));
        this.#usedBytes -= length;
        this.#register(key, facts);
      },
      discard: async () => {
        this.#usedBytes -= length;
        await deleteIfThere(partPath);
      },
    });
  }

  async open(key: string): Promise<StoredFile | null> {
    checkKey(key);
    // A second try is needed when the file was replaced between looking it up and opening it.
    for (let tries = 0; tries < 3; tries += 1) {
      const entry = this.#entries.get(key) ?? (await this.#discover(key));
      if (entry === null) return null;
      if (this.#isTooOld(entry.facts)) {
        await this.#remove(key);
        return null;
      }
      const handle = await entry.file.acquire();
      if (handle !== null) return storedFile(entry, handle);
      if (this.#entries.get(key) === entry) this.#forget(key);
    }
    return null;
  }

  async facts(key: string): Promise<StoredFacts | null> {
    const entry = this.#entries.get(key);
    return entry === undefined || this.#isTooOld(entry.facts) ? null : entry.facts;
  }

  async sweep(): Promise<void> {
    for (const [key, { facts }] of [...this.#entries]) if (this.#isTooOld(facts)) await this.#remove(key);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  /** Deletes what an earlier run has left unfinished, and what is too old, now and then. To be called before the rest. */
  async start(): Promise<void> {
    const { folder, onError, sweepEveryMs = defaultSweepMs } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      if (partPattern.test(name)) await deleteIfThere(join(folder, name));
      const key = name.slice(0, -suffix.length);
      if (name.endsWith(suffix) && keyPattern.test(key)) await this.#discover(key);
    }
    const byAge = [...this.#entries].sort(([, a], [, b]) => a.facts.madeAt - b.facts.madeAt);
    for (const [key, { facts }] of byAge) this.#register(key, facts);
    await this.sweep();
    this.#timer = setInterval(() => this.sweep().catch(onError), sweepEveryMs).unref();
  }

  #pathOf(key: string): string {
    return join(this.#options.folder, key + suffix);
  }

  #isTooOld({ madeAt }: StoredFacts): boolean {
    const now = this.#options.now();
    return now >= madeAt + this.#lifetimeMs || madeAt > now + maxClockErrorMs;
  }

  #register(key: string, facts: StoredFacts): Entry {
    this.#forget(key);
    const entry = { facts, file: new SharedFile(() => openSame(this.#pathOf(key), key, facts)) };
    this.#entries.set(key, entry);
    this.#usedBytes += facts.length;
    return entry;
  }

  /** Its readers keep what they have open. */
  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#usedBytes -= entry.facts.length;
  }

  async #remove(key: string): Promise<void> {
    this.#forget(key);
    await deleteIfThere(this.#pathOf(key));
  }

  /** Resolves with the room taken: no `await` between check and taking, so it is never given twice. */
  async #takeRoom(length: number): Promise<void> {
    const { maxBytes } = this.#options;
    for (const [key, entry] of this.#entries) {
      if (this.#usedBytes + length <= maxBytes || length > maxBytes) break;
      if (!entry.file.inUse) await this.#remove(key);
    }
    if (this.#usedBytes + length > maxBytes) {
      throw new StorageFull(
        `${length} bytes on top of ${this.#usedBytes} would pass the bound of ${maxBytes}`,
      );
    }
    this.#usedBytes += length;
  }

  /** The entry of a file that is on disk but not known: it was there before the start. */
  async #discover(key: string): Promise<Entry | null> {
    const facts = await readFactsOf(this.#pathOf(key), key);
    if (facts === undefined) return null;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (facts !== null) return this.#register(key, facts);
    await deleteIfThere(this.#pathOf(key));
    return null;
  }
}

function checkKey(key: string): void {
  if (!keyPattern.test(key)) throw new RangeError(`Not a key of a kept file: ${JSON.stringify(key)}`);
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

/** Undefined when the file does not exist, null when it is incomplete. */
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
