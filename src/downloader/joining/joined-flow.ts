import { invalid } from '../media/mp4/boxes.ts';
import type { MediaSink } from '../network/contracts.ts';
import { releaseChunk } from '../network/memory.ts';
import type { RelayedFlow } from '../streaming/relay.ts';
import type { Feeds, PiecesFrom } from './layout.ts';
import { type PartPiece, pieceLength } from './pieces.ts';

export interface JoinedFlowOptions extends PiecesFrom {
  readonly feeds: Feeds;
  /** First byte of the joined file to give. */
  readonly start: number;
  /** One past the last; null for all there is. */
  readonly end: number | null;
  /** Bytes of the joined file; null when that is not known. */
  readonly size: number | null;
}

/** Pieces below this are put together; a read of a TLS connection brings more. */
const smallBytes = 12 * 1024;

/**
 * The bytes of a joined file, pushed: pieces of our own and of both originals in their order, each as it arrives. Ends by
 * itself only when every byte was given.
 */
export class JoinedFlow implements RelayedFlow {
  readonly #options: JoinedFlowOptions;
  #sink: MediaSink | null = null;
  /** Set while the taker has no room. */
  #room: PromiseWithResolvers<void> | null = null;
  #isOver = false;
  /** Small pieces that were not given yet. */
  #small: Buffer[] = [];
  #smallBytes = 0;

  constructor(options: JoinedFlowOptions) {
    this.#options = options;
  }

  get resumes(): number {
    const { picture, sound } = this.#options.feeds;
    return (picture?.resumes ?? 0) + (sound?.resumes ?? 0);
  }

  connect(sink: MediaSink): void {
    this.#sink = sink;
    this.#run().then(
      () => this.#finish(() => sink.end()),
      (error: unknown) =>
        this.#finish(() =>
          sink.fail(error instanceof Error ? error : new Error('stopped', { cause: error })),
        ),
    );
  }

  resume(): void {
    this.#room?.resolve();
    this.#room = null;
  }

  stop(): void {
    this.#finish(() => {});
    this.resume();
  }

  async #run(): Promise<void> {
    const { pieces, start, end, size } = this.#options;
    let at = this.#options.at;
    for await (const piece of pieces) {
      const length = pieceLength(piece);
      const from = Math.max(0, start - at);
      const to = end === null ? length : Math.min(length, end - at);
      if (from < to) {
        if ('bytes' in piece)
          await this.#give(from === 0 && to === length ? piece.bytes : piece.bytes.subarray(from, to));
        else await this.#pass({ ...piece, start: piece.start + from, end: piece.start + to });
      }
      if (this.#isOver) return;
      at += length;
      // At the end of the file, who gives the pieces still looks whether nothing was missing.
      if (to < length || (at === end && end !== size)) break;
    }
    await this.#flush();
    if (end !== null && at < end) throw invalid(`the joined file ends at ${at}, not at ${end}`);
  }

  /** Passes bytes of an original on as they come. */
  async #pass({ part, start, end }: PartPiece): Promise<void> {
    const feed = this.#options.feeds[part];
    if (feed === null) throw new Error(`the ${part} was not opened`);
    if (feed.position !== start) await feed.skipTo(start);
    for (let left = end - start; left > 0 && !this.#isOver; ) {
      const next = feed.next(left);
      if (next instanceof Promise) await this.#flush();
      const chunk = next instanceof Promise ? await next : next;
      left -= chunk.length;
      const room = this.#give(chunk);
      if (room !== undefined) await room;
    }
  }

  /** Where the originals take turns, pieces are small: several together are one write to the client's socket. */
  #give(chunk: Buffer): Promise<void> | undefined {
    if (this.#small.length === 0 && chunk.length >= smallBytes) return this.#push(chunk);
    this.#small.push(chunk);
    this.#smallBytes += chunk.length;
    return this.#smallBytes >= smallBytes ? this.#flush() : undefined;
  }

  #flush(): Promise<void> | undefined {
    const [only, more] = this.#small;
    if (only === undefined) return undefined;
    const bytes = more === undefined ? only : Buffer.concat(this.#small, this.#smallBytes);
    if (more !== undefined) this.#small.forEach(releaseChunk);
    this.#small = [];
    this.#smallBytes = 0;
    return this.#push(bytes);
  }

  /** Waits for room where there is none. */
  #push(chunk: Buffer): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    const hasRoom = this.#sink?.data(chunk);
    // What it did with the chunk may have ended everything.
    if (hasRoom !== false || this.#isOver) return undefined;
    this.#room = Promise.withResolvers();
    return this.#room.promise;
  }

  #finish(tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { picture, sound } = this.#options.feeds;
    picture?.stop();
    sound?.stop();
    tell();
  }
}
