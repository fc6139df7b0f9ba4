import type { StoredFacts } from '../../contracts/file-store.ts';
import { headersOf } from './object-facts.ts';
import type { S3Client, S3UploadName } from './s3-client.ts';
import { S3Unavailable } from './s3-failures.ts';

/** The least that the protocol allows for a part that is not the last. */
export const partBytes = 5 * 2 ** 20;

interface DraftUploadOptions {
  readonly client: Pick<S3Client, 'put' | 'beginUpload' | 'putPart' | 'completeUpload' | 'abortUpload'>;
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
  #upload: S3UploadName | null = null;
  #sending: Promise<void> | null = null;
  #error: unknown = null;
  #isStopped = false;

  constructor(options: DraftUploadOptions) {
    this.#options = options;
  }

  /** So many bytes can be read now. Sends what makes a part, beside the writing. */
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

  /** Makes the whole file an object. @throws S3Unavailable, S3Refused; nothing is left then */
  async finish(): Promise<void> {
    const { client, key, facts, now } = this.#options;
    try {
      if (facts.length <= partBytes) {
        await client.put(key, await this.#bytes(0, facts.length), headersOf({ ...facts, madeAt: now() }));
        return;
      }
      await this.#sending;
      if (this.#error !== null) throw this.#error;
      await this.#sendParts();
      if (this.#isStopped) throw new S3Unavailable('it took too long');
      const sent = this.#tags.length * partBytes;
      if (sent < facts.length) await this.#sendPart(sent, facts.length);
      if (this.#upload !== null) await client.completeUpload(this.#upload, this.#tags);
      this.#upload = null;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Leaves nothing in the store; what cannot be taken back now the sweep finds. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await this.#sending;
    const upload = this.#upload;
    this.#upload = null;
    if (upload !== null) await this.#options.client.abortUpload(upload).catch(() => {});
  }

  async #sendParts(): Promise<void> {
    for (;;) {
      const start = this.#tags.length * partBytes;
      if (this.#isStopped || this.#written < start + partBytes) return;
      await this.#sendPart(start, start + partBytes);
    }
  }

  async #sendPart(start: number, end: number): Promise<void> {
    const { client, key, facts, now } = this.#options;
    if (this.#upload === null) {
      // Its age counts from here: never later than when the file is finished.
      const id = await client.beginUpload(key, headersOf({ ...facts, madeAt: now() }));
      this.#upload = { key, id };
    }
    const bytes = await this.#bytes(start, end);
    this.#tags.push(await client.putPart(this.#upload, this.#tags.length + 1, bytes));
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
