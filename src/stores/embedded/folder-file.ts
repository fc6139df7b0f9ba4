import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import type { FileDraft, StoredFacts } from '../contracts/file-store.ts';
import { asStorageFull } from './storage-errors.ts';

/**
 * A stored file is its content, then its facts as JSON, then 8 bytes: the JSON's length (32 bit, big-endian) and a
 * magic number. It is one file, so that one rename publishes content and facts together, and a file truncated by a
 * power cut is detected by itself.
 */
const mark = 'CFK1';
const footerBytes = 8;
const maxFactsBytes = 4096;

const factsSchema = z.object({
  key: z.string(),
  length: z.number().int().nonnegative(),
  etag: z.string().regex(/^"[\x21\x23-\x7e]{1,100}"$/),
  madeAt: z.number(),
});

/** The bytes after the content. */
export function writeFacts(key: string, { length, etag, madeAt }: StoredFacts): Buffer {
  const json = Buffer.from(JSON.stringify(factsSchema.parse({ key, length, etag, madeAt })), 'utf8');
  const footer = Buffer.alloc(footerBytes);
  footer.writeUInt32BE(json.length, 0);
  footer.write(mark, 4, 'latin1');
  return Buffer.concat([json, footer]);
}

/** The facts at the end of a file; null when it is not a complete stored file of this key. */
export async function readFacts(handle: FileHandle, key: string): Promise<StoredFacts | null> {
  const { size } = await handle.stat();
  const end = Buffer.alloc(Math.min(size, maxFactsBytes + footerBytes));
  await handle.read(end, 0, end.length, size - end.length);
  if (end.length < footerBytes || end.toString('latin1', end.length - 4) !== mark) return null;
  const jsonBytes = end.readUInt32BE(end.length - footerBytes);
  if (jsonBytes > end.length - footerBytes) return null;
  const json = end.toString('utf8', end.length - footerBytes - jsonBytes, end.length - footerBytes);
  const parsed = factsSchema.safeParse(parseJson(json));
  if (!parsed.success) return null;
  const { key: writtenKey, ...facts } = parsed.data;
  return writtenKey === key && facts.length + jsonBytes + footerBytes === size ? facts : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** One descriptor for all readers of a file: the first opens it, the last closes it. */
export class SharedFile {
  readonly #open: () => Promise<FileHandle | null>;
  #handle: Promise<FileHandle | null> | null = null;
  #leases = 0;

  /** @param open null when the file does not exist */
  constructor(open: () => Promise<FileHandle | null>) {
    this.#open = open;
  }

  get inUse(): boolean {
    return this.#leases > 0;
  }

  /** Null when the file does not exist; otherwise `release` must be called once. */
  async acquire(): Promise<FileHandle | null> {
    this.#leases += 1;
    this.#handle ??= this.#open();
    let handle: FileHandle | null = null;
    try {
      handle = await this.#handle;
    } finally {
      if (handle === null) this.#giveUp();
    }
    return handle;
  }

  async release(): Promise<void> {
    const handle = this.#handle;
    if (this.#giveUp()) await (await handle)?.close();
  }

  #giveUp(): boolean {
    this.#leases -= 1;
    if (this.#leases > 0) return false;
    this.#handle = null;
    return true;
  }
}

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
