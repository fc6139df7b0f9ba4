import { asFailure, Failure } from '../../failures/failures.ts';
import { type FileDraft, type FileStore, StorageFull } from '../../stores/contracts/file-store.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** Bytes that may wait for the disk before {@link GrowingFile.append} makes its caller wait. */
const maxPendingBytes = 256 * 1024;
/** Bytes read from disk at once for one reader. */
const readBytes = 64 * 1024;

/** A file of known length that is written once and read by many while it grows. */
export interface GrowingFile {
  /** Bytes when finished. */
  readonly length: number;
  /** Bytes that can be read now. */
  readonly available: number;
  readonly complete: boolean;
  /**
   * Adds bytes, which must not be changed afterwards. Waits for the disk only, never for a reader.
   * @throws Failure `conversion_failed` for more bytes than announced, `storage_full`
   */
  append(bytes: Uint8Array): Promise<void>;
  /**
   * Ends the writing; resolves when everything can be read and, where there was room, the file is kept.
   * @returns whether it is kept
   * @throws Failure `conversion_failed` for fewer bytes than announced, `storage_full`
   */
  finish(): Promise<boolean>;
  /** Ends the writing, and all reading with this failure; nothing is kept. Without effect after `finish`. */
  fail(failure: Failure): Promise<void>;
  /**
   * The bytes from `start` to `end` (exclusive), waiting for those that are not there yet.
   * @param stopped asked after each wait; a failure ends the reading with it, see {@link notify}
   */
  read(start: number, end: number, stopped: () => Failure | null): AsyncGenerator<Uint8Array, void, void>;
  /** Makes waiting readers ask `stopped` again. */
  notify(): void;
  /** Keeps the file readable until the function it gives back is called. */
  retain(): () => void;
  /** Resolves when everything is closed: after the end of the writing, the last release and the last reader. */
  readonly closed: Promise<void>;
}

interface MemoryTail {
  /** Position of its first byte in the file. */
  readonly start: number;
  readonly bytes: Buffer;
}

export interface GrowingFileOptions {
  store: FileStore;
  key: string;
  /** Bytes. */
  length: number;
  etag: string;
  /** Where the rest goes when the disk is full. */
  memory: MemoryBudget;
}

/**
 * Starts a file in the store. When the store is full, at the start or in the middle, the rest goes to memory as far as
 * the budget allows, so that those who read it now still get it; such a file is not kept.
 * @throws Failure `storage_full` when neither has room
 */
export async function startGrowingFile(options: GrowingFileOptions): Promise<GrowingFile> {
  const { store, key, length, etag, memory } = options;
  let received = 0;
  let available = 0;
  let complete = false;
  let failure: Failure | null = null;
  let ended = false;
  let isClosing = false;
  let users = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let writing: Promise<void> | null = null;
  /** The bytes written last: readers who keep up need no disk. */
  let recent: { start: number; bytes: Uint8Array } = { start: 0, bytes: new Uint8Array(0) };
  /** What the disk did not take. */
  let tail: MemoryTail | null = null;
  const waiting = new Set<() => void>();
  const closed = Promise.withResolvers<void>();

  function notify(): void {
    const readers = [...waiting];
    waiting.clear();
    for (const reader of readers) reader();
  }

  function takeMemory(cause: StorageFull): MemoryTail {
    const bytes = length - available;
    if (!memory.take(bytes)) {
      throw new Failure('storage_full', { cause, note: `no room on disk, nor in memory for ${bytes} bytes` });
    }
    return { start: available, bytes: Buffer.allocUnsafeSlow(bytes) };
  }

  async function writeToDisk(draft: FileDraft, bytes: Uint8Array): Promise<boolean> {
    try {
      await draft.write(bytes);
      recent = { start: available, bytes };
      return true;
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error;
      tail = takeMemory(error);
      return false;
    }
  }

  async function write(bytes: Uint8Array): Promise<void> {
    if (tail === null && draft !== null && (await writeToDisk(draft, bytes))) return;
    tail?.bytes.set(bytes, available - tail.start);
  }

  /** Writes what has gathered while the last write was under way, in one piece. */
  async function writePending(): Promise<void> {
    while (pending.length > 0 && failure === null) {
      const bytes = pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
      await write(bytes);
      available += bytes.length;
      notify();
    }
  }

  function startWriting(): Promise<void> {
    writing ??= writePending()
      .catch((error) => {
        failure ??= asFailure(error, 'internal');
        notify();
      })
      .finally(() => {
        writing = null;
      });
    return writing;
  }

  async function flush(): Promise<void> {
    while (pending.length > 0 && failure === null) await startWriting();
    await writing;
    if (failure !== null) throw failure;
  }

  async function closeAll(): Promise<void> {
    memory.give(tail?.bytes.length ?? 0);
    tail = null;
    await draft?.close();
  }

  function retain(): () => void {
    users += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      users -= 1;
      settleWhenUnused();
    };
  }

  function settleWhenUnused(): void {
    // Asked by whoever is last, and again by a failure that took its time on disk.
    if (!ended || users > 0 || isClosing) return;
    isClosing = true;
    closeAll().then(closed.resolve, closed.reject);
  }

  async function readAt(position: number, end: number): Promise<Uint8Array> {
    const last = Math.min(end, available);
    if (tail !== null && position >= tail.start) {
      return tail.bytes.subarray(
        position - tail.start,
        Math.min(last - tail.start, position - tail.start + readBytes),
      );
    }
    const ahead = position - recent.start;
    if (ahead >= 0 && ahead < recent.bytes.length) {
      return recent.bytes.subarray(ahead, Math.min(recent.bytes.length, ahead + last - position));
    }
    if (draft === null) throw new Failure('internal', { note: 'a growing file without bytes' });
    const target = Buffer.allocUnsafeSlow(Math.min(last - position, readBytes));
    const count = await draft.read(target, position);
    if (count === 0) throw new Failure('internal', { note: 'a growing file lost bytes' });
    return target.subarray(0, count);
  }

  let draft: FileDraft | null = null;
  try {
    draft = await store.create(key, { length, etag });
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error;
    tail = takeMemory(error);
  }

  return {
    length,
    get available() {
      return available;
    },
    get complete() {
      return complete;
    },

    async append(bytes) {
      if (failure !== null) throw failure;
      if (bytes.length === 0) return;
      received += bytes.length;
      if (received > length) {
        throw new Failure('conversion_failed', { note: `more than the announced ${length} bytes` });
      }
      pending.push(bytes);
      pendingBytes += bytes.length;
      const written = startWriting();
      if (pendingBytes >= maxPendingBytes) {
        await written;
        if (failure !== null) throw failure;
      }
    },

    async finish() {
      await flush();
      if (received !== length) {
        throw new Failure('conversion_failed', {
          note: `${received} bytes instead of the announced ${length}`,
        });
      }
      complete = true;
      let kept = false;
      if (draft !== null && tail === null) kept = await publishIfRoom(draft);
      ended = true;
      notify();
      settleWhenUnused();
      return kept;
    },

    async fail(reason) {
      if (ended) return;
      failure ??= reason;
      ended = true;
      notify();
      await writing;
      await draft?.discard();
      settleWhenUnused();
    },

    async *read(start, end, stopped) {
      const release = retain();
      try {
        for (let position = start; position < end; ) {
          const reason = stopped() ?? (complete ? null : failure);
          if (reason !== null) throw reason;
          if (position >= available) {
            await new Promise<void>((resolve) => waiting.add(resolve));
            continue;
          }
          const bytes = await readAt(position, end);
          position += bytes.length;
          yield bytes;
        }
      } finally {
        release();
      }
    },

    notify,
    retain,
    closed: closed.promise,
  };
}

async function publishIfRoom(draft: FileDraft): Promise<boolean> {
  try {
    await draft.publish();
    return true;
  } catch (error) {
    if (error instanceof StorageFull) return false;
    throw error;
  }
}
