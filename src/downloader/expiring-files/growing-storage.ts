import { Failure } from '../../failures/failures.ts';
import { type FileDraft, type FileStore, StorageFull } from '../../stores/contracts/file-store.ts';

/** A limit on the bytes held in memory by all users together; each takes and returns its share. */
export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

/** @param maxBytes of all takers together */
export function createMemoryBudget(maxBytes: number) {
  let used = 0;
  return {
    /** Returns false, and takes nothing, when too little is left. */
    take(bytes: number): boolean {
      if (used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    give(bytes: number): void {
      used -= bytes;
    },
    get used(): number {
      return used;
    },
  };
}

/** Bytes read from disk at once for one reader. */
const readBytes = 64 * 1024;

export interface GrowingFileOptions {
  store: FileStore;
  key: string;
  /** Bytes. */
  length: number;
  etag: string;
  /** Takes the rest when the disk is full. */
  memory: MemoryBudget;
}

interface MemoryTail {
  /** Position of its first byte in the file. */
  readonly start: number;
  readonly bytes: Buffer;
}

/** The bytes of a growing file: in a draft of the store, and in memory from the point where the disk is full. */
export class GrowingStorage {
  readonly #length: number;
  readonly #memory: MemoryBudget;
  #draft: FileDraft | null = null;
  /** The bytes that the disk did not take. */
  #tail: MemoryTail | null = null;
  /** The bytes written last: readers who keep up need no disk. */
  #recent: { start: number; bytes: Uint8Array } = { start: 0, bytes: new Uint8Array(0) };
  #written = 0;

  private constructor({ length, memory }: GrowingFileOptions) {
    this.#length = length;
    this.#memory = memory;
  }

  /** @throws Failure `storage_full` when neither disk nor memory has room */
  static async open(options: GrowingFileOptions): Promise<GrowingStorage> {
    const { store, key, length, etag } = options;
    const storage = new GrowingStorage(options);
    try {
      storage.#draft = await store.create(key, { length, etag });
    } catch (error) {
      storage.#goOnInMemory(error);
    }
    return storage;
  }

  /** Bytes that can be read. */
  get written(): number {
    return this.#written;
  }

  /** Appends. @throws Failure `storage_full` */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#tail === null) await this.#writeToDisk(bytes);
    this.#tail?.bytes.set(bytes, this.#written - this.#tail.start);
    this.#written += bytes.length;
  }

  /** Some of the bytes from `position` to `end` (exclusive), at least one; `position` is written. */
  async read(position: number, end: number): Promise<Uint8Array> {
    const last = Math.min(end, this.#written);
    const tail = this.#tail;
    if (tail !== null && position >= tail.start) {
      const from = position - tail.start;
      return tail.bytes.subarray(from, Math.min(last - tail.start, from + readBytes));
    }
    const { start, bytes } = this.#recent;
    const ahead = position - start;
    if (ahead >= 0 && ahead < bytes.length)
      return bytes.subarray(ahead, Math.min(bytes.length, ahead + last - position));
    if (this.#draft === null) throw new Failure('internal', { note: 'a growing file without bytes' });
    const target = Buffer.allocUnsafeSlow(Math.min(last - position, readBytes));
    const count = await this.#draft.read(target, position);
    if (count === 0) throw new Failure('internal', { note: 'a growing file lost bytes' });
    return target.subarray(0, count);
  }

  /** Publishes the whole file in the store if there is room. @returns whether it is stored */
  async publish(): Promise<boolean> {
    if (this.#draft === null || this.#tail !== null) return false;
    try {
      await this.#draft.publish();
      return true;
    } catch (error) {
      if (error instanceof StorageFull) return false;
      throw error;
    }
  }

  /** Takes the name of the file away; it can still be read. */
  async discard(): Promise<void> {
    await this.#draft?.discard();
  }

  async close(): Promise<void> {
    this.#memory.give(this.#tail?.bytes.length ?? 0);
    this.#tail = null;
    await this.#draft?.close();
  }

  async #writeToDisk(bytes: Uint8Array): Promise<void> {
    try {
      await this.#draft?.write(bytes);
      this.#recent = { start: this.#written, bytes };
    } catch (error) {
      this.#goOnInMemory(error);
    }
  }

  #goOnInMemory(error: unknown): void {
    if (!(error instanceof StorageFull)) throw error;
    const bytes = this.#length - this.#written;
    if (!this.#memory.take(bytes)) {
      const note = `no room on disk, nor in memory for ${bytes} bytes`;
      throw new Failure('storage_full', { cause: error, note });
    }
    this.#tail = { start: this.#written, bytes: Buffer.allocUnsafeSlow(bytes) };
  }
}
