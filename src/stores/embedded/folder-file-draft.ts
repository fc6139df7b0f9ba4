import type { FileHandle } from 'node:fs/promises';
import type { FileDraft } from '../contracts/file-store.ts';
import { asStorageFull } from './storage-errors.ts';

interface DraftOptions {
  /** Open for reading and writing, empty; closed by the draft. */
  handle: FileHandle;
  /** Bytes of the content. */
  length: number;
  /** The bytes after the content of a complete file. */
  makeTrailer: () => Buffer;
  /** Gives the file its final name. */
  publish: () => Promise<void>;
  /** Takes the file's name away. */
  discard: () => Promise<void>;
}

/** The draft of a stored file: an open file with a temporary name until it is published. */
export function createDraft({ handle, length, makeTrailer, publish, discard }: DraftOptions): FileDraft {
  let written = 0;
  let state: 'open' | 'broken' | 'published' | 'discarded' = 'open';

  async function writeAt(bytes: Uint8Array, position: number): Promise<void> {
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    } catch (error) {
      state = 'broken';
      throw asStorageFull(error);
    }
  }

  function checkOpen(): void {
    if (state !== 'open') throw new Error(`The draft is ${state}`);
  }

  async function discardOnce(): Promise<void> {
    if (state === 'published' || state === 'discarded') return;
    state = 'discarded';
    await discard();
  }

  return {
    async write(bytes) {
      checkOpen();
      if (written + bytes.length > length) throw new RangeError(`More than the announced ${length} bytes`);
      await writeAt(bytes, written);
      written += bytes.length;
    },

    async read(target, position) {
      const wanted = Math.min(target.length, Math.max(0, written - position));
      if (wanted === 0) return 0;
      return (await handle.read(target, 0, wanted, position)).bytesRead;
    },

    async publish() {
      checkOpen();
      if (written !== length) throw new RangeError(`${written} bytes instead of the announced ${length}`);
      await writeAt(makeTrailer(), written);
      await publish();
      state = 'published';
    },

    discard: discardOnce,

    async close() {
      try {
        await discardOnce();
      } finally {
        await handle.close();
      }
    },
  };
}
