import type { ByteSource } from '../contracts.ts';

/** A file in memory that counts its requests. */
export class BufferSource implements ByteSource {
  readonly #bytes: Buffer;
  readonly #chunkBytes: number;
  reads: { offset: number; length: number }[] = [];
  bytesRead = 0;
  /** Requests in flight now, and the maximum. */
  running = 0;
  mostRunning = 0;
  /** Claimed size; null like a server that does not state one. */
  size: number | null;
  hasRanges = true;

  constructor(
    bytes: Buffer,
    { size = bytes.length, chunkBytes = 16_384 }: { size?: number | null; chunkBytes?: number } = {},
  ) {
    this.#bytes = bytes;
    this.#chunkBytes = chunkBytes;
    this.size = size;
  }

  async read(offset: number, length: number, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted();
    this.reads.push({ offset, length });
    this.mostRunning = Math.max(this.mostRunning, ++this.running);
    try {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      const bytes = this.#bytes.subarray(offset, offset + length);
      this.bytesRead += bytes.length;
      return bytes;
    } finally {
      this.running--;
    }
  }

  whole(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.stream(0, null, signal);
  }

  async *stream(start: number, end: number | null, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    this.running++;
    try {
      const last = Math.min(end ?? this.#bytes.length, this.#bytes.length);
      for (let at = start; at < last; at += this.#chunkBytes) {
        signal.throwIfAborted();
        const bytes = this.#bytes.subarray(at, Math.min(last, at + this.#chunkBytes));
        this.bytesRead += bytes.length;
        yield bytes;
      }
    } finally {
      this.running--;
    }
  }
}

/** All bytes of an iteration in one buffer. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
