import type { Failure } from '../../failures/failures.ts';
import { type GrowingFileOptions, GrowingStorage } from './growing-storage.ts';
import { GrowingWriter } from './growing-writer.ts';

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
