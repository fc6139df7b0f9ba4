import { BufferTarget, StreamTarget, type StreamTargetChunk, type Target } from 'mediabunny';
import { partsOf } from '../../../../../site/browser/downloads/parts-of.ts';
import { scratchFolder } from '../../../video/scratch-folder.ts';
import { Refusal } from '../../messages.ts';

/** Where a video's files lie while it is made. */
export interface Scratch {
  /** Keeps a body's bytes. @param told called with the bytes that have arrived */
  keep(
    name: string,
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    told: (bytes: number) => void,
  ): Promise<Blob>;
  /** A file that is written in any order, and read once it is finished. */
  create(name: string): Promise<{ readonly target: Target; finished(): Promise<Blob> }>;
}

/** For a video and what is made of it, where all of it is in memory: a phone's browser ends pages that have much more. */
const maxMemoryBytes = 150_000_000;

/**
 * Opens the folder of an order in the origin's private file system. In a browser without one everything is in memory.
 * @param neededBytes as far as known
 * @throws Refusal `memory` where that is too much
 */
export async function openScratch(folder: string, neededBytes: number): Promise<Scratch> {
  const files = await scratchFolder(folder, true);
  if (files !== null) return inFiles(files);
  if (neededBytes > maxMemoryBytes) throw new Refusal('memory', `${neededBytes} bytes`);
  return inMemory;
}

/** Hands on a body's pieces, each with its place. */
async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (piece: Uint8Array<ArrayBuffer>, at: number) => void,
  told: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  for await (const piece of partsOf(body)) {
    take(piece, bytes);
    bytes += piece.length;
    told(bytes);
  }
}

const inMemory: Scratch = {
  async keep(_, body, told) {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const take = (piece: Uint8Array<ArrayBuffer>, at: number) => {
      if (at + piece.length > maxMemoryBytes) throw new Refusal('memory', `more than ${at} bytes`);
      pieces.push(piece);
    };
    await read(body, take, told);
    return new Blob(pieces);
  },
  async create() {
    const target = new BufferTarget();
    return { target, finished: async () => new Blob(target.buffer === null ? [] : [target.buffer]) };
  },
};

const inFiles = (folder: FileSystemDirectoryHandle): Scratch => ({
  async keep(name, body, told) {
    const { write, close, file } = await openFile(folder, name);
    await read(body, write, told).finally(close);
    return file();
  },
  async create(name) {
    const { write, close, file } = await openFile(folder, name);
    const writable = new WritableStream<StreamTargetChunk>({
      write: ({ data, position }) => write(data, position),
    });
    return {
      // Small boxes are written together.
      target: new StreamTarget(writable, { chunked: true, chunkSize: 2 ** 20 }),
      finished() {
        close();
        return file();
      },
    };
  },
});

async function openFile(folder: FileSystemDirectoryHandle, name: string) {
  const entry = await folder.getFileHandle(name, { create: true });
  const handle = await entry.createSyncAccessHandle();
  handle.truncate(0);
  let end = 0;
  return {
    async file(): Promise<File> {
      const file = await entry.getFile();
      // A browser whose disk is full may say that it wrote everything.
      if (file.size < end) throw new Refusal('space', `${file.size} of ${end} bytes`);
      return file;
    },
    close: () => handle.close(),
    write(bytes: Uint8Array<ArrayBuffer>, at: number): void {
      end = Math.max(end, at + bytes.length);
      try {
        const written = handle.write(bytes, { at });
        if (written < bytes.length) throw new Refusal('space', `${written} of ${bytes.length} bytes`);
      } catch (thrown) {
        if (thrown instanceof DOMException && thrown.name === 'QuotaExceededError')
          throw new Refusal('space', thrown.message);
        throw thrown;
      }
    },
  };
}
