import { releaseChunk } from '../../network/memory.ts';
import type { Feed, Take } from '../feed.ts';

/** A file in memory as a feed; every other read is asynchronous. */
export class BufferFeed implements Feed {
  position: number;
  readonly resumes = 0;
  readonly #bytes: Buffer;
  readonly #pieceBytes: number;
  #turn = 0;
  #resumed: (() => void) | null = null;

  constructor(bytes: Buffer, start = 0, pieceBytes = 50) {
    this.#bytes = bytes;
    this.position = start;
    this.#pieceBytes = pieceBytes;
  }

  isOver(): boolean {
    return this.position >= this.#bytes.length;
  }

  pass(length: number, take: Take): Promise<void> | undefined {
    if (this.position + length > this.#bytes.length) throw new Error('past the end');
    this.#turn += 1;
    if (this.#turn % 2 === 0) return this.#passSlowly(length, take);
    take(this.#take(length));
    return undefined;
  }

  async #passSlowly(length: number, take: Take): Promise<void> {
    for (let left = length; left > 0; ) {
      await null;
      const chunk = this.#take(Math.min(left, this.#pieceBytes));
      left -= chunk.length;
      if (!take(chunk) && left > 0) {
        await new Promise<void>((resolve) => {
          this.#resumed = resolve;
        });
      }
    }
  }

  #take(length: number): Buffer {
    // In separate memory, like pieces of bodies.
    const taken = Buffer.allocUnsafeSlow(length);
    this.#bytes.copy(taken, 0, this.position);
    this.position += length;
    return taken;
  }

  async skipTo(offset: number): Promise<void> {
    if (offset < this.position) throw new Error(`back from ${this.position} to ${offset}`);
    this.position = offset;
  }

  resume(): void {
    this.#resumed?.();
    this.#resumed = null;
  }

  stop(): void {}
}

/**
 * Collects the bytes of a flow, in a taker that has no room after every few pieces and frees memory when it is done.
 */
export function taken(flow: { connect(sink: object): void; resume(): void }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    flow.connect({
      data: (chunk: Buffer) => {
        chunks.push(Buffer.from(chunk));
        releaseChunk(chunk);
        if (chunks.length % 3 !== 0) return true;
        setImmediate(() => flow.resume());
        return false;
      },
      end: () => resolve(Buffer.concat(chunks)),
      fail: reject,
    });
  });
}
