import { Failure } from '../../failures/failures.ts';
import type { StoredFile } from '../../stores/contracts/file-store.ts';
import type { GrowingFile } from '../expiring-files/growing-file.ts';
import type { ConvertedFile } from './contracts.ts';
import type { Reader } from './readers.ts';

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
