import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { ClientPace } from '../../../downloader/streaming/client-pace.ts';
import { dataDescriptor, directory, fileHeader, type WrittenFile } from './zip-format.ts';

/** A file being written into the archive, at the client's pace. Destroying it leaves the archive incomplete. */
export class ZipEntry extends Writable {
  size = 0;
  checksum = 0;
  readonly #archive: Writable;

  constructor(archive: Writable) {
    super({ highWaterMark: 64 * 1024 });
    this.#archive = archive;
    // The sender gets the error; there is no other listener.
    this.on('error', () => {});
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.size += chunk.length;
    this.checksum = crc32(chunk, this.checksum);
    this.#archive.write(chunk, done);
  }
}

/** Writes files into an archive one after the other, as they come. */
export class ZipSender {
  readonly #archive: ServerResponse;
  readonly #files: WrittenFile[] = [];
  #length = 0;

  constructor(archive: ServerResponse) {
    this.#archive = archive;
  }

  /**
   * Writes one file.
   * @param size bytes; null when unknown
   * @param send writes the file and resolves when it has ended
   * @throws Error, which is no `Failure`, when the file was incomplete: the archive cannot be completed then
   */
  async add(
    file: { readonly name: string; readonly modified: Date; readonly size: number | null },
    send: (entry: ZipEntry) => Promise<void>,
  ): Promise<void> {
    const name = Buffer.from(file.name);
    const { modified } = file;
    const start = this.#length;
    this.#write(fileHeader(name, modified));
    const entry = new ZipEntry(this.#archive);
    try {
      await send(entry);
    } catch (cause) {
      throw new Error('a file of the zip broke off', { cause });
    }
    const { size, checksum } = entry;
    if (!entry.writableFinished || size === 0 || (file.size !== null && size !== file.size))
      throw new Error(`a file of the zip has ${size} of ${file.size ?? 'unknown'} bytes`);
    this.#length += size;
    const written = { name, modified, size, checksum, start };
    this.#files.push(written);
    this.#write(dataDescriptor(written));
  }

  /** Ends the archive. */
  end(): void {
    this.#archive.end(directory(this.#files, this.#length));
  }

  #write(bytes: Buffer): void {
    this.#length += bytes.length;
    this.#archive.write(bytes);
  }
}

/**
 * Writes a file from an iterable of pieces, and ends it.
 * @throws errors of reading, and the signal's reason; gives up a client that takes hardly any bytes
 */
export async function sendPieces(
  pieces: AsyncIterable<Uint8Array>,
  entry: ZipEntry,
  signal: AbortSignal,
): Promise<void> {
  const tooSlow = new AbortController();
  const pace = new ClientPace({
    isWaiting: () => entry.writableLength > 0,
    tooSlow: () => tooSlow.abort(new Error('the client hardly took anything for too long')),
  });
  const either = AbortSignal.any([signal, tooSlow.signal]);
  try {
    for await (const piece of pieces) {
      const { length } = piece;
      if (!entry.write(piece, () => pace.took(length))) await once(entry, 'drain', { signal: either });
    }
    entry.end();
    if (!entry.writableFinished) await once(entry, 'finish', { signal: either });
  } finally {
    pace.end();
  }
}
