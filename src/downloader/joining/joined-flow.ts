import { invalid } from '../media/mp4/boxes.ts';
import type { MediaSink } from '../network/contracts.ts';
import { ownCopy, releaseChunk } from '../network/memory.ts';
import type { RelayedFlow } from '../streaming/relay.ts';
import type { Feed } from './feed.ts';
import type { Feeds, PiecesFrom } from './layouts/layout.ts';
import { type PartPiece, pieceLength } from './pieces.ts';

export interface JoinedFlowOptions extends PiecesFrom {
  readonly feeds: Feeds;
  /** First byte of the joined file to give. */
  readonly start: number;
  /** One past the last; null for the rest of the file. */
  readonly end: number | null;
  /** Bytes of the joined file; null when that is not known. */
  readonly size: number | null;
}

/** Another write to a socket costs about as much as copying these. */
const smallBytes = 8 * 1024;

/**
 * The bytes of a joined file, pushed: our own pieces and those of both originals in order, each as it arrives. Ends
 * normally only when every byte was delivered.
 */
export class JoinedFlow implements RelayedFlow {
  readonly #options: JoinedFlowOptions;
  #sink: MediaSink | null = null;
  /** Set while the taker has no room. */
  #room: PromiseWithResolvers<void> | null = null;
  /** The original that is passed on now. */
  #feed: Feed | null = null;
  #isOver = false;
  /** Bytes of the present piece that have not come yet. */
  #left = 0;
  /** Ends of pieces that were not given yet. */
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
    this.#feed?.resume();
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
        this.#left = to - from;
        if (!('bytes' in piece))
          await this.#pass({ ...piece, start: piece.start + from, end: piece.start + to });
        else this.#give(this.#left === length ? piece.bytes : piece.bytes.subarray(from, to));
        if (this.#room !== null) await this.#room.promise;
      }
      if (this.#isOver) return;
      at += length;
      // At the end of the file, the source of the pieces still checks for missing bytes.
      if (to < length || (at === end && end !== size)) break;
    }
    this.#flush();
    if (end !== null && at < end) throw invalid(`the joined file ends at ${at}, not at ${end}`);
  }

  /** Passes bytes of an original on as they come. */
  async #pass({ part, start, end }: PartPiece): Promise<void> {
    const feed = this.#options.feeds[part];
    if (feed === null) throw new Error(`the ${part} was not opened`);
    if (feed.position !== start) await feed.skipTo(start);
    const passed = feed.pass(end - start, this.#give);
    if (passed === undefined) return;
    this.#feed = feed;
    // Bytes that are present do not wait for missing ones.
    if (this.#room === null) this.#flush();
    await passed;
    this.#feed = null;
  }

  /** Where the originals interleave, small pieces are combined with the next: one write to the client's socket. */
  readonly #give = (chunk: Buffer): boolean => {
    this.#left -= chunk.length;
    const isFirst = this.#small.length === 0;
    if (isFirst && (this.#left > 0 || chunk.length >= smallBytes)) return this.#push(chunk);
    this.#small.push(chunk);
    this.#smallBytes += chunk.length;
    return (this.#left === 0 && this.#smallBytes < smallBytes) || this.#flush();
  };

  #flush(): boolean {
    const [only, more] = this.#small;
    if (only === undefined) return true;
    const bytes = more === undefined ? only : ownCopy(...this.#small);
    if (more !== undefined) this.#small.forEach(releaseChunk);
    this.#small = [];
    this.#smallBytes = 0;
    return this.#push(bytes);
  }

  /** @returns whether there is room for more */
  #push(chunk: Buffer): boolean {
    if (this.#isOver) return true;
    const hasRoom = this.#sink?.data(chunk) !== false;
    // The consumer may have ended everything while it took the chunk.
    if (!hasRoom && !this.#isOver) this.#room ??= Promise.withResolvers();
    return hasRoom || this.#isOver;
  }

  #finish(notify: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { picture, sound } = this.#options.feeds;
    picture?.stop();
    sound?.stop();
    notify();
  }
}
