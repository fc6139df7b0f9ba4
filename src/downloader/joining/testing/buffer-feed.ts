import type { Feed } from '../feed.ts';

/** A file in memory as a feed; every other piece has to be waited for. */
export class BufferFeed implements Feed {
  position: number;
  readonly resumes = 0;
  isStopped = false;
  readonly #bytes: Buffer;
  readonly #pieceBytes: number;
  #turn = 0;

  constructor(bytes: Buffer, start = 0, pieceBytes = 50) {
    this.#bytes = bytes;
    this.position = start;
    this.#pieceBytes = pieceBytes;
  }

  isOver(): boolean {
    return this.position >= this.#bytes.length;
  }

  next(most: number): Buffer | Promise<Buffer> {
    const length = Math.min(most, this.#pieceBytes, this.#bytes.length - this.position);
    if (length === 0) throw new Error('past the end');
    const taken = this.#bytes.subarray(this.position, this.position + length);
    this.position += length;
    this.#turn += 1;
    return this.#turn % 2 === 0 ? taken : Promise.resolve(taken);
  }

  async skipTo(offset: number): Promise<void> {
    if (offset < this.position) throw new Error(`back from ${this.position} to ${offset}`);
    this.position = offset;
  }

  stop(): void {
    this.isStopped = true;
  }
}

/** What a flow gives, to a taker that has no room after every few pieces. */
export function taken(flow: { connect(sink: object): void; resume(): void }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    flow.connect({
      data: (chunk: Buffer) => {
        chunks.push(Buffer.from(chunk));
        if (chunks.length % 3 !== 0) return true;
        setImmediate(() => flow.resume());
        return false;
      },
      end: () => resolve(Buffer.concat(chunks)),
      fail: reject,
    });
  });
}
