import { headBytes } from '../media/mp4/top-level-boxes.ts';
import { partOf, releaseChunk } from '../network/memory.ts';
import type { ResumableSource } from '../streaming/resumable-source.ts';
import { ResumingFlow } from '../streaming/resuming-flow.ts';
import { checkAhead, endedEarly, type Feed } from './feed.ts';
import type { HeldFlow } from './join-part.ts';
import type { Span } from './layouts/layout.ts';

/** Gaps of up to this many bytes are read and dropped, which is cheaper than another request. */
const maxDroppedBytes = 256 * 1024;

/**
 * Reads an original over one connection at the reader's pace. Used for the larger of the two files, which hardly ever
 * waits for the other.
 */
export class FlowFeed implements Feed {
  position: number;
  readonly #source: ResumableSource;
  readonly #end: number | null;
  readonly #signal: AbortSignal;
  #flow: ResumingFlow;
  /** The piece that is being read, null when there is none. */
  #piece: Buffer | null = null;
  /** Bytes of it that were given. */
  #given = 0;

  private constructor(source: ResumableSource, flow: ResumingFlow, end: number | null, signal: AbortSignal) {
    this.#source = source;
    this.#flow = flow;
    this.#end = end;
    this.#signal = signal;
    this.position = flow.position;
  }

  /**
   * Resolves when the file answers.
   * @param opened an open response from the file's first byte: continued unless the position is too far ahead
   * @throws Failure `media_unavailable`, … or the signal's reason
   */
  static async open(
    source: ResumableSource,
    { start, end }: Span,
    signal: AbortSignal,
    opened: HeldFlow | null = null,
  ): Promise<FlowFeed> {
    if (opened !== null && start <= headBytes + maxDroppedBytes) {
      const flow = new ResumingFlow({ ...opened, source, start, end: end ?? source.size, signal });
      return new FlowFeed(source, flow, end, signal);
    }
    opened?.flow.stop();
    return new FlowFeed(source, await openAt(source, start, end, signal), end, signal);
  }

  get resumes(): number {
    return this.#source.resumes;
  }

  take(most: number): Buffer | null {
    const piece = this.#piece;
    if (piece === null) return null;
    const from = this.#given;
    const isAll = from === 0 && piece.length <= most;
    const given = isAll ? piece : partOf(piece, from, Math.min(from + most, piece.length));
    this.position += given.length;
    this.#given += given.length;
    if (this.#given < piece.length) return given;
    this.#piece = null;
    this.#given = 0;
    if (!isAll) releaseChunk(piece);
    return given;
  }

  async fill(): Promise<void> {
    this.#piece ??= await this.#flow.next();
    if (this.#piece === null) throw endedEarly();
  }

  async skipTo(offset: number): Promise<void> {
    checkAhead(offset, this.position);
    const present = this.#piece === null ? 0 : this.#piece.length - this.#given;
    // Without ranges, another request would bring all that was passed once more.
    if (offset - this.position > present + maxDroppedBytes && this.#source.hasRanges) {
      this.#flow.stop();
      this.#piece = null;
      this.#given = 0;
      this.#flow = await openAt(this.#source, offset, this.#end, this.#signal);
      this.position = offset;
      return;
    }
    while (this.position < offset) {
      const dropped = this.take(offset - this.position);
      if (dropped === null) await this.fill();
      else releaseChunk(dropped);
    }
  }

  async isOver(): Promise<boolean> {
    const end = this.#end ?? this.#source.size;
    if (end !== null) return this.position >= end;
    this.#piece ??= await this.#flow.next();
    return this.#piece === null;
  }

  stop(): void {
    this.#flow.stop();
  }
}

async function openAt(
  source: ResumableSource,
  start: number,
  end: number | null,
  signal: AbortSignal,
): Promise<ResumingFlow> {
  const flow = await source.open(start, end, signal);
  return new ResumingFlow({ source, flow, start, end: end ?? source.size, signal });
}
