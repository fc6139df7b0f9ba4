import { invalid } from '../media/mp4/boxes.ts';
import type { MediaSink } from '../network/contracts.ts';
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
      if (to < length || (at === end && end !== size)) return;
    }
    if (end !== null && at < end) throw invalid(`the joined file ends at ${at}, not at ${end}`);
  }

  /** Passes bytes of an original on as they come. */
  async #pass({ part, start, end }: PartPiece): Promise<void> {
    const feed = this.#options.feeds[part];
    if (feed === null) throw new Error(`the ${part} was not opened`);
    if (feed.position !== start) await feed.skipTo(start);
    for (let left = end - start; left > 0 && !this.#isOver; ) {
      const next = feed.next(left);
      const chunk = next instanceof Promise ? await next : next;
      left -= chunk.length;
      await this.#give(chunk);
    }
  }

  async #give(chunk: Buffer): Promise<void> {
    if (this.#isOver) return;
    const hasRoom = this.#sink?.data(chunk);
    // What it did with the chunk may have ended everything.
    if (hasRoom !== false || this.#isOver) return;
    this.#room = Promise.withResolvers();
    await this.#room.promise;
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
