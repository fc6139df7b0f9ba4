import { asFailure, Failure } from '../../failures/failures.ts';
import type { StoredFile } from '../../stores/contracts/file-store.ts';
import type { GrowingFile } from '../expiring-files/growing-file.ts';
import type { ConvertedFile } from './contracts.ts';

/** A visitor's request that waits for a conversion's file and then reads it. */
export interface Reader {
  /** The visitor it is accounted to. */
  readonly visitor: string;
  /** The key that may cancel it. */
  readonly waiter: string;
  /** Ends its waiting or reading with this reason; without effect the second time. */
  stop(reason: unknown): void;
  /** Ends the reading on the reader's own initiative. */
  leave(): void;
  /** Why it was stopped; null while it may go on. */
  stopped(): Failure | null;
  /** Never resolves; rejects with the reason when it is stopped. */
  readonly whenStopped: Promise<never>;
}

/** The requests that wait for one file, which does not exist yet; `give` hands it to each of them. */
export type Readers = ReturnType<typeof createReaders>;

/** Makes a file's {@link Readers}, of which there are none at first. */
export function createReaders() {
  /** Each reader with what gives back its part of the file. */
  const readers = new Map<Reader, (() => void) | null>();
  let file: GrowingFile | null = null;

  return {
    get count(): number {
      return readers.size;
    },

    /** @param left called once, when the reader leaves or is stopped */
    add({ visitor, waiter }: Pick<Reader, 'visitor' | 'waiter'>, left: (reader: Reader) => void): Reader {
      const stop = Promise.withResolvers<never>();
      stop.promise.catch(() => {});
      let reason: Failure | null = null;
      const reader: Reader = {
        visitor,
        waiter,
        whenStopped: stop.promise,
        stopped: () => reason,
        leave: () => reader.stop(new Failure('conversion_cancelled', { note: 'left' })),
        stop(why) {
          if (reason !== null) return;
          reason = asFailure(why, 'conversion_cancelled');
          stop.reject(why);
          readers.get(reader)?.();
          readers.delete(reader);
          file?.notify();
          left(reader);
        },
      };
      readers.set(reader, file?.retain() ?? null);
      return reader;
    },

    has: (visitor: string): boolean => [...readers.keys()].some((reader) => reader.visitor === visitor),

    /** Each visitor once. */
    visitors: (): Set<string> => new Set([...readers.keys()].map(({ visitor }) => visitor)),

    /** Stops all readers, or those of one waiter. @returns whether there were any */
    stop(reason: Failure, waiter?: string): boolean {
      const stopped = [...readers.keys()].filter(
        (reader) => waiter === undefined || reader.waiter === waiter,
      );
      for (const reader of stopped) reader.stop(reason);
      return stopped.length > 0;
    },

    /** Gives them the file, which stays open until the last of them has left. */
    give(given: GrowingFile): void {
      file = given;
      for (const reader of readers.keys()) readers.set(reader, given.retain());
    },
  };
}

const readBytes = 64 * 1024;

/** A view of a conversion that runs, for one reader. */
export function viewGrowingFile(file: GrowingFile, etag: string, reader: Reader): ConvertedFile {
  return {
    length: file.length,
    get complete() {
      return file.complete;
    },
    etag,
    read: (start, end) =>
      leaveable(file.read(start, Math.min(end, file.length), reader.stopped), () => reader.leave()),
    release: () => reader.leave(),
  };
}

/** A view of a finished file. @param onError called when the file cannot be closed */
export function viewStoredFile(file: StoredFile, onError: (error: unknown) => void): ConvertedFile {
  let released = false;
  let readers = 0;
  let closing = false;

  function closeWhenUnused(): void {
    if (!released || readers > 0 || closing) return;
    closing = true;
    file.close().catch(onError);
  }

  async function* read(start: number, end: number): AsyncGenerator<Uint8Array, void, void> {
    readers += 1;
    try {
      for (let position = start; position < end; ) {
        if (released) throw new Failure('conversion_cancelled', { note: 'read after release' });
        const target = Buffer.allocUnsafeSlow(Math.min(end - position, readBytes));
        const count = await file.read(target, position);
        position += count;
        yield target.subarray(0, count);
      }
    } finally {
      readers -= 1;
      closeWhenUnused();
    }
  }

  return {
    length: file.length,
    complete: true,
    etag: file.etag,
    read: (start, end) => read(start, Math.min(end, file.length)),
    release() {
      released = true;
      closeWhenUnused();
    },
  };
}

/** A generator that waits cannot be ended by its consumer; here leaving is noticed at once, also while it waits. */
function leaveable(
  generator: AsyncGenerator<Uint8Array, void, void>,
  leave: () => void,
): AsyncIterable<Uint8Array> {
  let ended = false;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const result = await generator.next();
        ended ||= result.done === true;
        return result;
      },
      return() {
        if (!ended) leave();
        return generator.return();
      },
    }),
  };
}
