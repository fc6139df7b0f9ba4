import {
  defaultLifetimeMs,
  defaultSweepMs,
  type FileDraft,
  type FileStore,
  type StoredFacts,
  type StoredFile,
} from '../../contracts/file-store.ts';
import { type ObjectStore, ObjectStoreUnavailable } from '../../contracts/object-store.ts';
import { DraftUpload, fileFactsOf, RemoteFile } from './object-file.ts';

/** How long a finished file waits for the upload to the store, in ms; then it is sent later. */
const publishMs = 5000;

const reportAgainMs = 60_000;

/** A file that is older than this by its own word has a wrong clock behind it. */
const maxClockErrorMs = 60_000;

interface ObjectFileStoreOptions {
  readonly objects: ObjectStore;
  /**
   * This machine's store: files are written here first, read from here while present, and kept here while the shared
   * store is unreachable.
   */
  readonly local: FileStore;
  /** Prefix of all objects' names. Everything under it is deleted when it is old. */
  readonly prefix: string;
  /** By default the local files' lifetime. */
  readonly lifetimeMs?: number;
  /** ms since the epoch */
  readonly now: () => number;
  /** Called with what the store refused, with the same once a minute; never because the store is away. */
  readonly onError: (error: unknown) => void;
}

/**
 * A file store shared by all instances: each file is on the machine that made it and in the store, from where the
 * others read it. While the store is unreachable every machine has its own files; they are sent when it is back.
 */
export function openObjectFileStore(options: ObjectFileStoreOptions): FileStore {
  const store = new ObjectFileStore(options);
  store.start();
  return store;
}

class ObjectFileStore implements FileStore {
  readonly #options: ObjectFileStoreOptions;
  readonly #lifetimeMs: number;
  /** Finished here, and not in the store. */
  readonly #unsent = new Set<string>();
  /** The store repeats its refusals: time of the last report of each, in ms. */
  readonly #reportedAt = new Map<string, number>();
  #sweeping: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ObjectFileStoreOptions) {
    this.#options = options;
    this.#lifetimeMs = options.lifetimeMs ?? defaultLifetimeMs;
  }

  /** Sweeps now and then, and when the store is back: what was finished meanwhile is sent at once, others may ask for it. */
  start(): void {
    const { objects, onError } = this.#options;
    objects.onReturn(() => void this.sweep().catch(onError));
    this.#timer = setInterval(() => this.sweep().catch(onError), defaultSweepMs).unref();
  }

  async create(key: string, facts: Pick<StoredFacts, 'length' | 'etag'>): Promise<FileDraft> {
    const { local, objects } = this.#options;
    const draft = await local.create(key, facts);
    const upload = objects.isAway ? null : this.#uploadOf(key, facts, draft.read);
    let written = 0;
    return {
      read: draft.read,
      async write(bytes) {
        await draft.write(bytes);
        written += bytes.length;
        upload?.advance(written);
      },
      publish: async () => {
        await draft.publish();
        this.#unsent.add(key);
        if (upload !== null && (await this.#isSent(upload))) this.#unsent.delete(key);
      },
      async discard() {
        // It may still wait for the store; no caller waits here.
        void upload?.stop();
        await draft.discard();
      },
      async close() {
        void upload?.stop();
        await draft.close();
      },
    };
  }

  async open(key: string): Promise<StoredFile | null> {
    return (await this.#options.local.open(key)) ?? this.#orWithout(this.#openRemote(key), null);
  }

  async facts(key: string): Promise<StoredFacts | null> {
    return (await this.#options.local.facts(key)) ?? this.#orWithout(this.#remoteFacts(key), null);
  }

  sweep(): Promise<void> {
    this.#sweeping ??= this.#options.local
      .sweep()
      .then(() => this.#sendRest())
      .then(() => this.#orWithout(this.#sweepStore(), undefined))
      .finally(() => {
        this.#sweeping = null;
      });
    return this.#sweeping;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#options.local.close();
  }

  #isYoung({ madeAt }: StoredFacts): boolean {
    const now = this.#options.now();
    return now < madeAt + this.#lifetimeMs && madeAt <= now + maxClockErrorMs;
  }

  #report(error: unknown): void {
    const { now, onError } = this.#options;
    const text = String(error);
    if (now() - (this.#reportedAt.get(text) ?? Number.NEGATIVE_INFINITY) < reportAgainMs) return;
    this.#reportedAt.set(text, now());
    onError(error);
  }

  /** Does without the store where it must. */
  async #orWithout<T>(work: Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ObjectStoreUnavailable)) this.#report(error);
      return otherwise;
    }
  }

  #uploadOf(key: string, facts: Pick<StoredFacts, 'length' | 'etag'>, read: FileDraft['read']): DraftUpload {
    const { objects, prefix, now } = this.#options;
    return new DraftUpload({ objects, key: prefix + key, facts, now, read });
  }

  /** Whether the file is in the store; not longer than anybody should wait for that. */
  async #isSent(upload: DraftUpload): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const limit = setTimeout(() => late.resolve(false), publishMs);
    const done = this.#orWithout(
      upload.finish().then(() => true),
      false,
    );
    const isSent = await Promise.race([done, late.promise]).finally(() => clearTimeout(limit));
    if (!isSent) void upload.stop();
    return isSent;
  }

  async #openRemote(key: string): Promise<StoredFile | null> {
    const { objects, prefix } = this.#options;
    const object = await objects.open(prefix + key);
    if (object === null) return null;
    const facts = fileFactsOf(object);
    if (facts !== null && this.#isYoung(facts)) return new RemoteFile(objects, prefix + key, object, facts);
    object.body.destroy();
    return null;
  }

  async #remoteFacts(key: string): Promise<StoredFacts | null> {
    const { objects, prefix } = this.#options;
    const object = await objects.facts(prefix + key);
    const facts = object === null ? null : fileFactsOf(object);
    return facts !== null && this.#isYoung(facts) ? facts : null;
  }

  /** Sends files that were finished while the store was unreachable. */
  async #sendRest(): Promise<void> {
    const { objects, local } = this.#options;
    for (const key of [...this.#unsent]) {
      const file = objects.isAway ? null : await local.open(key);
      if (objects.isAway) return;
      try {
        if (file === null) this.#unsent.delete(key);
        else if (await this.#isSent(this.#uploadOf(key, file, (target, at) => file.read(target, at))))
          this.#unsent.delete(key);
      } finally {
        await file?.close();
      }
    }
  }

  /** Every instance sweeps all files: the one that made a file may be gone. */
  async #sweepStore(): Promise<void> {
    const { objects, prefix } = this.#options;
    const isOld = ({ ageS }: { readonly ageS: number }) => ageS * 1000 >= this.#lifetimeMs;
    for await (const entry of objects.list(prefix)) if (isOld(entry)) await objects.delete(entry.key);
    for (const upload of await objects.uploads(prefix)) if (isOld(upload)) await objects.abortUpload(upload);
  }
}
