import { asFailure, Failure } from '../../failures/failures.ts';
import type { GrowingStorage } from './growing-storage.ts';

/** Bytes that may wait for the disk before {@link GrowingWriter.append} makes its caller wait. */
const maxPendingBytes = 256 * 1024;

interface GrowingWriterOptions {
  readonly storage: GrowingStorage;
  /** Bytes that are announced. */
  readonly length: number;
  /** Called when more can be read, and when the writing has failed. */
  readonly changed: () => void;
}

/** Writes what comes into the storage, in as few pieces as the disk is slow. */
export class GrowingWriter {
  readonly #options: GrowingWriterOptions;
  #received = 0;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #writing: Promise<void> | null = null;
  #failure: Failure | null = null;

  constructor(options: GrowingWriterOptions) {
    this.#options = options;
  }

  /** Bytes that were added so far, written or not. */
  get received(): number {
    return this.#received;
  }

  /** Why nothing more is written; null while all is well. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** @throws Failure `conversion_failed` for more bytes than announced, `storage_full` */
  async append(bytes: Uint8Array): Promise<void> {
    this.#check();
    if (bytes.length === 0) return;
    const { length } = this.#options;
    this.#received += bytes.length;
    if (this.#received > length)
      throw new Failure('conversion_failed', { note: `more than the announced ${length} bytes` });
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    const written = this.#write();
    if (this.#pendingBytes < maxPendingBytes) return;
    await written;
    this.#check();
  }

  /** Resolves when everything is written. @throws Failure `conversion_failed` for fewer bytes than announced */
  async flush(): Promise<void> {
    while (this.#pending.length > 0 && this.#failure === null) await this.#write();
    await this.#writing;
    this.#check();
    const { length } = this.#options;
    if (this.#received !== length)
      throw new Failure('conversion_failed', {
        note: `${this.#received} bytes instead of the announced ${length}`,
      });
  }

  /** Writes no more. Resolves when the last write is over. */
  async fail(reason: Failure): Promise<void> {
    this.#failure ??= reason;
    this.#options.changed();
    await this.#writing;
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writePending()
      .catch((error) => {
        this.#failure ??= asFailure(error, 'internal');
        this.#options.changed();
      })
      .finally(() => {
        this.#writing = null;
      });
    return this.#writing;
  }

  /** Writes the bytes gathered during the last write, in one piece. */
  async #writePending(): Promise<void> {
    while (this.#pending.length > 0 && this.#failure === null) {
      const [first] = this.#pending;
      const bytes = this.#pending.length === 1 && first ? first : Buffer.concat(this.#pending);
      this.#pending = [];
      this.#pendingBytes = 0;
      await this.#options.storage.write(bytes);
      this.#options.changed();
    }
  }
}
