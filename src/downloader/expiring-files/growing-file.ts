import { asFailure, Failure } from '../../failures/failures.ts';
import { type GrowingFileOptions, GrowingStorage } from './growing-storage.ts';

/** A file of known length: written once, and read by many while it grows, until the last of its readers has left. */
export class GrowingFile {
  /** Bytes when finished. */
  readonly length: number;
  readonly #storage: GrowingStorage;
  readonly #writer: GrowingWriter;
  readonly #closed = Promise.withResolvers<void>();
  /** Readers that wait for bytes. */
  readonly #waiting = new Set<() => void>();
  #users = 0;
  #isComplete = false;
  /** No more bytes are written. */
  #ended = false;
  #isClosing = false;

  /**
   * Starts a file in the store. When the store is full, at the start or midway, the rest goes to memory within the
   * budget, so that present readers still get it; such a file is not stored.
   * @throws Failure `storage_full` when neither has room
   */
  static async start(options: GrowingFileOptions): Promise<GrowingFile> {
    return new GrowingFile(options.length, await GrowingStorage.open(options));
  }

  private constructor(length: number, storage: GrowingStorage) {
    this.length = length;
    this.#storage = storage;
    this.#writer = new GrowingWriter({ storage, length, changed: () => this.notify() });
  }

  /** Whether all bytes can be read. */
  get complete(): boolean {
    return this.#isComplete;
  }

  /** Bytes that were added so far, written or not. */
  get received(): number {
    return this.#writer.received;
  }

  /** Bytes that can be read now. */
  get available(): number {
    return this.#storage.written;
  }

  /** Resolves when everything is closed: after the end of the writing, the last release and the last reader. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /**
   * Appends bytes, which the caller must not change afterwards. Waits for the disk only, never for a reader.
   * @throws Failure `conversion_failed` for more bytes than announced, `storage_full`
   */
  append(bytes: Uint8Array): Promise<void> {
    return this.#writer.append(bytes);
  }

  /**
   * Ends the writing; resolves when everything can be read and, if there was room, the file is stored.
   * @returns whether it is stored
   * @throws Failure `conversion_failed` for fewer bytes than announced, `storage_full`
   */
  async finish(): Promise<boolean> {
    await this.#writer.flush();
    this.#isComplete = true;
    const kept = await this.#storage.publish();
    this.#ended = true;
    this.notify();
    this.#closeWhenUnused();
    return kept;
  }

  /** Ends the writing and all reading with this failure; nothing is stored. No effect after `finish`. */
  async fail(reason: Failure): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#writer.fail(reason);
    await this.#storage.discard();
    this.#closeWhenUnused();
  }

  /**
   * Yields the bytes from `start` to `end` (exclusive) and waits for those that are still missing.
   * @param stopped called after each wait; a failure ends the reading, see {@link notify}
   */
  async *read(
    start: number,
    end: number,
    stopped: () => Failure | null,
  ): AsyncGenerator<Uint8Array, void, void> {
    const release = this.retain();
    try {
      for (let position = start; position < end; ) {
        const reason = stopped() ?? (this.#isComplete ? null : this.#writer.failure);
        if (reason !== null) throw reason;
        if (position >= this.available) {
          await new Promise<void>((resolve) => this.#waiting.add(resolve));
          continue;
        }
        const bytes = await this.#storage.read(position, end);
        position += bytes.length;
        yield bytes;
      }
    } finally {
      release();
    }
  }

  /** Makes waiting readers call `stopped` again. */
  notify(): void {
    const readers = [...this.#waiting];
    this.#waiting.clear();
    for (const goOn of readers) goOn();
  }

  /** Keeps the file readable until the function it gives back is called. */
  retain(): () => void {
    this.#users += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#users -= 1;
      this.#closeWhenUnused();
    };
  }

  /** Called by the last reader, and again by a failure that was slow to reach the disk. */
  #closeWhenUnused(): void {
    if (!this.#ended || this.#users > 0 || this.#isClosing) return;
    this.#isClosing = true;
    this.#storage.close().then(this.#closed.resolve, this.#closed.reject);
  }
}

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
class GrowingWriter {
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
