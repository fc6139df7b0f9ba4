import { checkAhead, type Feed } from '../joining/feed.ts';
import { FlowFeed } from '../joining/flow-feed.ts';
import type { Span } from '../joining/pieces.ts';
import type { ResumableSource } from '../streaming/resumable-source.ts';

/**
 * Several spans of an original in order, one request for each: the bytes between them are not fetched. A server without
 * ranges is asked once for all of them.
 */
export class SpanFeed implements Feed {
  readonly #source: ResumableSource;
  readonly #signal: AbortSignal;
  readonly #later: Span[];
  #feed: FlowFeed;
  #isStopped = false;

  private constructor(source: ResumableSource, feed: FlowFeed, later: Span[], signal: AbortSignal) {
    this.#source = source;
    this.#feed = feed;
    this.#later = later;
    this.#signal = signal;
  }

  /** Resolves when the file answers. @throws Failure `media_unavailable`, … or the signal's reason */
  static async open(
    source: ResumableSource,
    [first, ...later]: readonly [Span, ...Span[]],
    signal: AbortSignal,
  ): Promise<SpanFeed> {
    const [span, rest] = source.hasRanges
      ? [first, later]
      : [{ start: first.start, end: (later.at(-1) ?? first).end }, []];
    return new SpanFeed(source, await FlowFeed.open(source, span, signal), rest, signal);
  }

  get position(): number {
    return this.#feed.position;
  }

  get resumes(): number {
    return this.#source.resumes;
  }

  take(most: number): Buffer | null {
    return this.#feed.take(most);
  }

  fill(): Promise<void> {
    return this.#feed.fill();
  }

  async skipTo(offset: number): Promise<void> {
    checkAhead(offset, this.position);
    const [next] = this.#later;
    if (next === undefined || offset < next.start) return this.#feed.skipTo(offset);
    this.#later.shift();
    this.#feed.stop();
    const feed = await FlowFeed.open(this.#source, next, this.#signal);
    // The reader may have stopped in the meantime.
    if (this.#isStopped) feed.stop();
    this.#feed = feed;
    return this.skipTo(offset);
  }

  isOver(): boolean | Promise<boolean> {
    return this.#later.length === 0 && this.#feed.isOver();
  }

  stop(): void {
    this.#isStopped = true;
    this.#feed.stop();
  }
}
