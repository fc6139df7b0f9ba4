import type { FileDraft, FileStore, StoredFacts, StoredFile } from '../../contracts/file-store.ts';
import { type ObjectStore, ObjectStoreUnavailable } from '../../contracts/object-store.ts';
import { DraftUpload } from './draft-upload.ts';
import { fileFactsOf } from './object-facts.ts';
import { RemoteFile } from './remote-file.ts';

/** For so long a finished file waits to be in the store too, in ms; then it is sent later. */
const publishMs = 5000;

const reportAgainMs = 60_000;

/** A file that is older than this by its own word has a wrong clock behind it. */
const maxClockErrorMs = 60_000;

export interface ObjectFileStoreOptions {
  readonly objects: ObjectStore;
  /** This machine's: files are written here first, read from here while they are, and kept here while the store is away. */
  readonly local: FileStore;
  /** What the names of all objects begin with. Everything under it is deleted when it is old. */
  readonly prefix: string;
  /** As for the local files. */
  readonly lifetimeMs?: number;
  readonly sweepEveryMs?: number;
  /** ms since the epoch */
  readonly now: () => number;
  /** Called with what the store refused, with the same once a minute; never because the store is away. */
  readonly onError: (error: unknown) => void;
}

/**
 * A file store that all instances share: each file lies on the machine that made it and in the store, from where the
 * others read it. While the store is away every machine has its own; they are sent when it is back.
 */
export function openObjectFileStore(options: ObjectFileStoreOptions): FileStore {
  const { objects, local, prefix, now, onError, lifetimeMs = 55 * 60_000, sweepEveryMs = 60_000 } = options;
  /** Finished here, and not in the store. */
  const unsent = new Set<string>();
  /** What the store refuses it refuses again and again: when each refusal was last reported, in ms. */
  const reportedAt = new Map<string, number>();
  const isYoung = ({ madeAt }: StoredFacts) =>
    now() < madeAt + lifetimeMs && madeAt <= now() + maxClockErrorMs;

  function report(error: unknown): void {
    const text = String(error);
    if (now() - (reportedAt.get(text) ?? Number.NEGATIVE_INFINITY) < reportAgainMs) return;
    reportedAt.set(text, now());
    onError(error);
  }

  /** Does without the store where it must. */
  async function orWithout<T>(work: Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ObjectStoreUnavailable)) report(error);
      return otherwise;
    }
  }

  function uploadOf(key: string, facts: Pick<StoredFacts, 'length' | 'etag'>, read: FileDraft['read']) {
    return new DraftUpload({ objects, key: prefix + key, facts, now, read });
  }

  /** @returns whether the file is in the store; not longer than anybody should wait for that */
  async function sent(upload: DraftUpload): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const limit = setTimeout(() => late.resolve(false), publishMs);
    const done = orWithout(
      upload.finish().then(() => true),
      false,
    );
    const isSent = await Promise.race([done, late.promise]).finally(() => clearTimeout(limit));
    if (!isSent) void upload.stop();
    return isSent;
  }

  async function openRemote(key: string): Promise<StoredFile | null> {
    const object = await objects.open(prefix + key);
    if (object === null) return null;
    const facts = fileFactsOf(object);
    if (facts !== null && isYoung(facts)) return new RemoteFile(objects, prefix + key, object, facts);
    object.body.destroy();
    return null;
  }

  async function remoteFacts(key: string): Promise<StoredFacts | null> {
    const object = await objects.facts(prefix + key);
    const facts = object === null ? null : fileFactsOf(object);
    return facts !== null && isYoung(facts) ? facts : null;
  }

  /** What was finished while the store was away. */
  async function sendRest(): Promise<void> {
    for (const key of [...unsent]) {
      const file = objects.isAway ? null : await local.open(key);
      if (objects.isAway) return;
      try {
        if (file === null) unsent.delete(key);
        else if (await sent(uploadOf(key, file, (target, position) => file.read(target, position))))
          unsent.delete(key);
      } finally {
        await file?.close();
      }
    }
  }

  /** Everybody looks for everybody's: whoever made a file may not live any more. */
  async function sweepStore(): Promise<void> {
    const isOld = ({ ageS }: { readonly ageS: number }) => ageS * 1000 >= lifetimeMs;
    for await (const entry of objects.list(prefix)) if (isOld(entry)) await objects.delete(entry.key);
    for (const upload of await objects.uploads(prefix)) if (isOld(upload)) await objects.abortUpload(upload);
  }

  let sweeping: Promise<void> | null = null;

  function sweep(): Promise<void> {
    sweeping ??= local
      .sweep()
      .then(sendRest)
      .then(() => orWithout(sweepStore(), undefined))
      .finally(() => {
        sweeping = null;
      });
    return sweeping;
  }

  // What was finished meanwhile is sent at once: others may be asked for it.
  objects.onReturn(() => void sweep().catch(onError));
  const timer = setInterval(() => sweep().catch(onError), sweepEveryMs).unref();

  return {
    async create(key, facts) {
      const draft = await local.create(key, facts);
      const upload = objects.isAway ? null : uploadOf(key, facts, draft.read);
      let written = 0;
      return {
        read: draft.read,
        async write(bytes) {
          await draft.write(bytes);
          written += bytes.length;
          upload?.advance(written);
        },
        async publish() {
          await draft.publish();
          unsent.add(key);
          if (upload !== null && (await sent(upload))) unsent.delete(key);
        },
        async discard() {
          // It may still wait for the store, which is nobody's concern here.
          void upload?.stop();
          await draft.discard();
        },
        async close() {
          void upload?.stop();
          await draft.close();
        },
      };
    },

    open: async (key) => (await local.open(key)) ?? orWithout(openRemote(key), null),
    facts: async (key) => (await local.facts(key)) ?? orWithout(remoteFacts(key), null),
    sweep,

    async close() {
      clearInterval(timer);
      await local.close();
    },
  };
}
