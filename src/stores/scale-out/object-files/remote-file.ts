import type { StoredFacts, StoredFile } from '../../contracts/file-store.ts';
import { type ObjectStore, ObjectStoreRefused, type OpenObject } from '../../contracts/object-store.ts';

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
