import { z } from 'zod';
import type { StoredFacts, StoredFile } from '../../contracts/file-store.ts';
import {
  leastPartBytes,
  type ObjectDescription,
  type ObjectFacts,
  type ObjectStore,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
  type ObjectUpload,
  type OpenObject,
} from '../../contracts/object-store.ts';

const schema = z.object({
  length: z.coerce.number().int().nonnegative(),
  etag: z.string().regex(/^[\x21\x23-\x7e]{1,100}$/),
  'made-at': z.coerce.number(),
});

/** Describes the object of a file. The length is included, so that a truncated object is not accepted. */
function describeFile({ length, etag, madeAt }: StoredFacts): ObjectDescription {
  return {
    contentType: 'application/octet-stream',
    metadata: { length: String(length), etag: etag.slice(1, -1), 'made-at': String(madeAt) },
  };
}

/** The facts of a file; null when the object is not a whole file of ours. */
export function fileFactsOf(object: ObjectFacts): StoredFacts | null {
  const { data } = schema.safeParse(object.metadata);
  if (data === undefined || data.length !== object.length) return null;
  return { length: data.length, etag: `"${data.etag}"`, madeAt: data['made-at'] };
}

const partBytes = leastPartBytes;

interface DraftUploadOptions {
  readonly objects: Pick<ObjectStore, 'put' | 'beginUpload' | 'putPart' | 'completeUpload' | 'abortUpload'>;
  readonly key: string;
  readonly facts: Pick<StoredFacts, 'length' | 'etag'>;
  /** ms since the epoch */
  readonly now: () => number;
  /** Reads what has been written so far. */
  readonly read: (target: Uint8Array, position: number) => Promise<number>;
}

/** Sends a file to the store while it is being written: a large one in parts, a small one when it is whole. */
export class DraftUpload {
  readonly #options: DraftUploadOptions;
  readonly #tags: string[] = [];
  #written = 0;
  #upload: ObjectUpload | null = null;
  #sending: Promise<void> | null = null;
  #error: unknown = null;
  #isStopped = false;

  constructor(options: DraftUploadOptions) {
    this.#options = options;
  }

  /** Reports the number of readable bytes. Sends complete parts while writing goes on. */
  advance(written: number): void {
    this.#written = written;
    if (this.#options.facts.length <= partBytes || this.#error !== null || this.#isStopped) return;
    this.#sending ??= this.#sendParts().then(
      () => {
        this.#sending = null;
      },
      (error: unknown) => {
        this.#error = error;
      },
    );
  }

  /** Makes the whole file an object. @throws ObjectStoreUnavailable, ObjectStoreRefused; nothing remains then */
  async finish(): Promise<void> {
    const { objects, key, facts, now } = this.#options;
    try {
      if (facts.length <= partBytes) {
        await objects.put(key, await this.#bytes(0, facts.length), describeFile({ ...facts, madeAt: now() }));
        return;
      }
      await this.#sending;
      if (this.#error !== null) throw this.#error;
      await this.#sendParts();
      if (this.#isStopped) throw new ObjectStoreUnavailable('it took too long');
      const sent = this.#tags.length * partBytes;
      if (sent < facts.length) await this.#sendPart(sent, facts.length);
      if (this.#upload !== null) await objects.completeUpload(this.#upload, this.#tags);
      this.#upload = null;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Removes everything from the store; the sweep removes what cannot be deleted now. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await this.#sending;
    const upload = this.#upload;
    this.#upload = null;
    if (upload !== null) await this.#options.objects.abortUpload(upload).catch(() => {});
  }

  async #sendParts(): Promise<void> {
    for (;;) {
      const start = this.#tags.length * partBytes;
      if (this.#isStopped || this.#written < start + partBytes) return;
      await this.#sendPart(start, start + partBytes);
    }
  }

  async #sendPart(start: number, end: number): Promise<void> {
    const { objects, key, facts, now } = this.#options;
    if (this.#upload === null) {
      // Its age counts from here: never later than when the file is finished.
      this.#upload = await objects.beginUpload(key, describeFile({ ...facts, madeAt: now() }));
    }
    const bytes = await this.#bytes(start, end);
    this.#tags.push(await objects.putPart(this.#upload, this.#tags.length + 1, bytes));
  }

  async #bytes(start: number, end: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(end - start);
    for (let done = 0; done < bytes.length; ) {
      const count = await this.#options.read(bytes.subarray(done), start + done);
      if (count === 0) throw new RangeError('a file became shorter while it was sent');
      done += count;
    }
    return bytes;
  }
}

/** Consecutive responses that may break off without any byte. */
const triesWithoutProgress = 2;

/**
 * An object read sequentially, at the reader's pace. Reading at another position than the last one's end requests the
 * object from there on, provided it is still the same one.
 */
export class RemoteFile implements StoredFile {
  readonly length: number;
  readonly etag: string;
  readonly madeAt: number;
  readonly #objects: Pick<ObjectStore, 'open' | 'name'>;
  readonly #key: string;
  readonly #objectTag: string;
  #object: OpenObject | null;
  #chunks: AsyncIterator<Buffer> | null;
  /** Bytes for which the last reader had no room. */
  #rest: Buffer = Buffer.alloc(0);
  #position = 0;
  /** Reads are serialised: there is one flow. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    objects: Pick<ObjectStore, 'open' | 'name'>,
    key: string,
    object: OpenObject,
    facts: StoredFacts,
  ) {
    this.length = facts.length;
    this.etag = facts.etag;
    this.madeAt = facts.madeAt;
    this.#objects = objects;
    this.#key = key;
    this.#objectTag = object.etag;
    this.#object = object;
    this.#chunks = chunksOf(object);
  }

  read(target: Uint8Array, position: number): Promise<number> {
    const reading = this.#turn.then(() => this.#read(target, position));
    this.#turn = reading.catch(() => {});
    return reading;
  }

  async close(): Promise<void> {
    this.#leave();
  }

  async #read(target: Uint8Array, position: number): Promise<number> {
    if (position >= this.length || target.length === 0) return 0;
    if (position !== this.#position) this.#leave();
    this.#position = position;
    for (let tries = 0; this.#rest.length === 0; tries += 1) {
      try {
        this.#chunks ??= await this.#openHere();
        const next = await this.#chunks.next();
        if (next.done) throw new Error('a kept object ended early');
        this.#rest = next.value;
      } catch (error) {
        this.#leave();
        // The object was replaced or deleted: another attempt would find the same.
        if (error instanceof ObjectStoreRefused || tries === triesWithoutProgress) throw error;
      }
    }
    const count = this.#rest.copy(target, 0, 0, Math.min(target.length, this.length - position));
    this.#rest = this.#rest.subarray(count);
    this.#position += count;
    return count;
  }

  async #openHere(): Promise<AsyncIterator<Buffer>> {
    this.#object = await this.#objects.open(this.#key, { start: this.#position, etag: this.#objectTag });
    if (this.#object === null)
      throw new ObjectStoreRefused(this.#objects.name, 404, 'for an object that was there a moment ago');
    return chunksOf(this.#object);
  }

  #leave(): void {
    this.#object?.body.destroy();
    this.#object = null;
    this.#chunks = null;
    this.#rest = Buffer.alloc(0);
  }
}

function chunksOf({ body }: OpenObject): AsyncIterator<Buffer> {
  return (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
}
