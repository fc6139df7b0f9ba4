import type { StoredFacts } from '../../contracts/file-store.ts';
import {
  leastPartBytes,
  type ObjectStore,
  ObjectStoreUnavailable,
  type ObjectUpload,
} from '../../contracts/object-store.ts';
import { describeFile } from './object-facts.ts';

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
