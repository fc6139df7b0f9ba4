import { headBytes } from '../media/mp4/top-level-boxes.ts';
import type { MediaSink } from '../network/contracts.ts';
import { partOf, releaseChunk } from '../network/memory.ts';
import type { ResumableSource } from '../streaming/resumable-source.ts';
import { ResumingFlow } from '../streaming/resuming-flow.ts';
import { checkAhead, endedEarly, type Feed, type Take } from './feed.ts';
import type { HeldFlow } from './join-part.ts';
import type { Span } from './pieces.ts';

/** Held for the taker at most, and what one read of the socket brings besides. */
const heldBytes = 64 * 1024;
/** Gaps of up to this many bytes are read and dropped, which is cheaper than another request. */
const maxDroppedBytes = 256 * 1024;

/** The delivery in progress. */
interface Passing {
  readonly take: Take;
  left: number;
  hasRoom: boolean;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Reads an original over one connection with back-pressure from the taker. Used for the larger of the two files, which
 * hardly ever waits for the other.
 */
export class FlowFeed implements Feed, MediaSink {
  position: number;
  readonly #source: ResumableSource;
  readonly #end: number | null;
  readonly #signal: AbortSignal;
  #flow: ResumingFlow;
  #isConnected = false;
  #isPaused = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Bytes of the first of them that were taken. */
  #taken = 0;
  #passing: Passing | null = null;
  /** Settled when there are bytes, or no more will come. */
  #waiting: PromiseWithResolvers<void> | null = null;
  /** Set at the end; `error` is null for a normal end. */
  #ended: { readonly error: Error | null } | null = null;

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

  pass(length: number, take: Take): Promise<void> | undefined {
    const passing: Passing = { take, left: length, hasRoom: true, done: Promise.withResolvers() };
    this.#passing = length > 0 ? passing : null;
    this.#drain();
    if (passing.left === 0) return undefined;
    this.#connect();
    return passing.done.promise;
  }

  resume(): void {
    if (this.#passing === null || this.#passing.hasRoom) return;
    this.#passing.hasRoom = true;
    this.#drain();
  }

  async skipTo(offset: number): Promise<void> {
    checkAhead(offset, this.position);
    // Without ranges, another request would bring all that was passed once more.
    const isFar = offset - this.position > this.#heldBytes + maxDroppedBytes;
    if (isFar && this.#source.hasRanges) await this.#openAgain(offset);
    else await this.pass(offset - this.position, () => true);
  }

  async isOver(): Promise<boolean> {
    const end = this.#end ?? this.#source.size;
    if (end !== null) return this.position >= end;
    if (this.#held.length === 0 && this.#ended === null) {
      const waiting = Promise.withResolvers<void>();
      this.#waiting = waiting;
      this.#connect();
      await waiting.promise;
    }
    if (this.#held.length > 0) return false;
    if (this.#ended?.error) throw this.#ended.error;
    return true;
  }

  stop(): void {
    this.#flow.stop();
    this.#finish(stopped);
  }

  data(chunk: Buffer): boolean {
    const passing = this.#passing;
    // The usual case: a waiting taker gets the bytes unbuffered.
    if (passing?.hasRoom && !this.#isPaused && this.#held.length === 0 && chunk.length <= passing.left) {
      if (!this.#handOver(passing, chunk)) this.#isPaused = true;
      return !this.#isPaused;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= heldBytes || passing?.hasRoom === false) this.#isPaused = true;
    this.#wake();
    this.#drain();
    return !this.#isPaused;
  }

  end(): void {
    this.#finish(null);
  }

  fail(error: Error): void {
    this.#finish(error);
  }

  /** Delivers buffered bytes while there is room. */
  #drain(): void {
    const passing = this.#passing;
    if (passing === null) return;
    for (
      let first = this.#held[0];
      first !== undefined && passing.hasRoom && passing.left > 0;
      first = this.#held[0]
    ) {
      const chunk = this.#take(first, passing.left);
      this.#heldBytes -= chunk.length;
      this.#handOver(passing, chunk);
    }
    if (this.#ended !== null && this.#held.length === 0 && passing.left > 0) this.#reject(passing);
    else if (this.#isPaused && passing.hasRoom && this.#heldBytes < heldBytes / 2) {
      this.#isPaused = false;
      this.#flow.resume();
    }
  }

  /** @returns whether the taker has room for more */
  #handOver(passing: Passing, chunk: Buffer): boolean {
    this.position += chunk.length;
    passing.left -= chunk.length;
    passing.hasRoom = passing.take(chunk);
    if (passing.left > 0) return passing.hasRoom;
    this.#passing = null;
    passing.done.resolve();
    return true;
  }

  /** A chunk as it is, or a part of it. */
  #take(first: Buffer, most: number): Buffer {
    const from = this.#taken;
    const isAll = from === 0 && first.length <= most;
    const taken = isAll ? first : partOf(first, from, Math.min(from + most, first.length));
    this.#taken += taken.length;
    if (this.#taken < first.length) return taken;
    this.#held.shift();
    this.#taken = 0;
    if (!isAll) releaseChunk(first);
    return taken;
  }

  #connect(): void {
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#flow.connect(this);
  }

  #wake(): void {
    this.#waiting?.resolve();
    this.#waiting = null;
  }

  #finish(error: Error | null): void {
    this.#ended ??= { error };
    this.#wake();
    if (this.#passing !== null && (error !== null || this.#held.length === 0)) this.#reject(this.#passing);
  }

  #reject({ done }: Passing): void {
    this.#passing = null;
    done.reject(this.#ended?.error ?? endedEarly());
  }

  #checkEnd(): void {
    if (this.#ended === null) return;
    this.#passing = null;
    throw this.#ended.error ?? endedEarly();
  }

  async #openAgain(offset: number): Promise<void> {
    this.#checkEnd();
    this.#flow.stop();
    this.#held = [];
    this.#heldBytes = 0;
    this.#taken = 0;
    this.#isConnected = false;
    this.#isPaused = false;
    this.#flow = await openAt(this.#source, offset, this.#end, this.#signal);
    this.position = offset;
  }
}

const stopped = new Error('no longer wanted');

async function openAt(
  source: ResumableSource,
  start: number,
  end: number | null,
  signal: AbortSignal,
): Promise<ResumingFlow> {
  const flow = await source.open(start, end, signal);
  return new ResumingFlow({ source, flow, start, end: end ?? source.size, signal });
}
