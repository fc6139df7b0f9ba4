import type { ByteSource } from '../media/contracts.ts';
import { invalid } from '../media/mp4/boxes.ts';
import { headBytes } from '../media/mp4/top-level-boxes.ts';
import type { MediaSink } from '../network/contracts.ts';
import { releaseChunk } from '../network/memory.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import type { ResumableSource } from '../streaming/resumable-source.ts';
import { ResumingFlow } from '../streaming/resuming-flow.ts';
import type { HeldFlow } from './join-part.ts';
import type { Span } from './pieces.ts';

/** The bytes of an original in order, taken by whoever joins them as the client has room. */
export interface Feed {
  /** Offset in the original of the byte that comes next. */
  readonly position: number;
  /** Times the platform broke off and was asked again. */
  readonly resumes: number;
  /**
   * At least one byte and at most so many; the buffer is the taker's own. A promise only where they have to be waited for.
   * @throws Failure `media_invalid` where the file ends, `media_unavailable`, or the signal's reason
   */
  next(most: number): Buffer | Promise<Buffer>;
  /** Goes on further ahead. @throws as {@link next} */
  skipTo(offset: number): Promise<void>;
  /** Whether every byte of the file was taken, also where nobody said how many there are. @throws as {@link next} */
  isOver(): boolean | Promise<boolean>;
  /** Closes its connection; what is waited for fails. */
  stop(): void;
}

/** Exactly so many bytes. @throws as {@link Feed.next} */
export async function readExactly(feed: Feed, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let missing = length; missing > 0; ) {
    const chunk = await feed.next(missing);
    chunks.push(chunk);
    missing -= chunk.length;
  }
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

/** Held for the taker at most, and what one read of the socket brings besides. */
const heldBytes = 64 * 1024;
/** Bytes between two that are wanted: fewer are read and dropped, which is cheaper than another request. */
const maxDroppedBytes = 256 * 1024;

/**
 * An original over one connection that is held back while the taker has no room, as when it is passed on alone: for the
 * larger of the two, which is hardly ever waited with for the other's sake.
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
  #ended: { readonly error: Error } | null = null;
  /** By itself. */
  #hasEnded = false;
  #waiting: PromiseWithResolvers<void> | null = null;

  private constructor(source: ResumableSource, flow: ResumingFlow, end: number | null, signal: AbortSignal) {
    this.#source = source;
    this.#flow = flow;
    this.#end = end;
    this.#signal = signal;
    this.position = flow.position;
  }

  /**
   * Resolves when the file answers.
   * @param opened the file from its first byte on, where it is open already: goes on with it, unless that is too far
   * @throws Failure `media_unavailable`, … or the signal's reason
   */
  static async open(
    source: ResumableSource,
    { start, end }: Span,
    signal: AbortSignal,
    opened: HeldFlow | null = null,
  ): Promise<FlowFeed> {
    let flow: ResumingFlow;
    if (opened !== null && start <= headBytes + maxDroppedBytes) {
      flow = new ResumingFlow({ ...opened, source, start, end: end ?? source.size, signal });
    } else {
      opened?.flow.stop();
      flow = await openAt(source, start, end, signal);
    }
    return new FlowFeed(source, flow, end, signal);
  }

  get resumes(): number {
    return this.#source.resumes;
  }

  next(most: number): Buffer | Promise<Buffer> {
    const [first] = this.#held;
    if (first === undefined) return this.#wait().then(() => this.next(most));
    const taken = this.#take(first, most);
    this.position += taken.length;
    this.#heldBytes -= taken.length;
    if (this.#isPaused && this.#heldBytes < heldBytes / 2) {
      this.#isPaused = false;
      this.#flow.resume();
    }
    return taken;
  }

  async skipTo(offset: number): Promise<void> {
    if (offset < this.position) throw invalid(`byte ${offset} after byte ${this.position}`);
    if (offset - this.position > this.#heldBytes + maxDroppedBytes) await this.#openAgain(offset);
    while (this.position < offset) await this.next(offset - this.position);
  }

  isOver(): boolean | Promise<boolean> {
    const end = this.#end ?? this.#source.size;
    if (end !== null) return this.position >= end;
    if (this.#held.length > 0) return false;
    if (this.#hasEnded) return true;
    return this.#wait().then(
      () => false,
      (error: unknown) => {
        if (this.#hasEnded) return true;
        throw error;
      },
    );
  }

  stop(): void {
    this.#flow.stop();
    this.#finish(new Error('no longer wanted'));
  }

  data(chunk: Buffer): boolean {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    this.#wake();
    this.#isPaused = this.#heldBytes >= heldBytes;
    return !this.#isPaused;
  }

  end(): void {
    this.#hasEnded = true;
    this.#finish(invalid('the file ends before its tables say'));
  }

  fail(error: Error): void {
    this.#finish(error);
  }

  /**
   * A chunk as it is, or a copy of a part of it. Parts that share its memory could only be left to the collector, which
   * would run all the time; so a chunk is given back when its last byte was copied.
   */
  #take(first: Buffer, most: number): Buffer {
    const from = this.#taken;
    const taken = from === 0 && first.length <= most ? first : Buffer.from(first.subarray(from, from + most));
    this.#taken += taken.length;
    if (this.#taken < first.length) return taken;
    this.#held.shift();
    this.#taken = 0;
    if (taken !== first) releaseChunk(first);
    return taken;
  }

  #wait(): Promise<void> {
    if (this.#ended !== null) return Promise.reject(this.#ended.error);
    const waiting = Promise.withResolvers<void>();
    this.#waiting = waiting;
    if (!this.#isConnected) {
      this.#isConnected = true;
      this.#flow.connect(this);
    }
    return waiting.promise;
  }

  #wake(): void {
    this.#waiting?.resolve();
    this.#waiting = null;
  }

  #finish(error: Error): void {
    this.#ended ??= { error };
    this.#waiting?.reject(this.#ended.error);
    this.#waiting = null;
  }

  async #openAgain(offset: number): Promise<void> {
    if (this.#ended !== null && this.#held.length === 0) throw this.#ended.error;
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

/** Fetched at once: a request costs about as much as passing 128 kB on. Of a usual sound these are sixteen seconds. */
const windowBytes = 256 * 1024;

interface Window {
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * An original that is fetched window by window, the next one while the present one is taken: for the smaller of the two,
 * of which a few kilobytes are wanted now and then. A connection of its own would stand still most of the time, and
 * servers close such; and it would take one of those that downloads share, beside the other's.
 */
export class WindowFeed implements Feed {
  position: number;
  readonly #source: ResumableSource;
  readonly #bytes: ByteSource;
  readonly #end: number | null;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  /** Others may have it, too. */
  readonly #known: Window;
  #window: Window;
  #next: { readonly offset: number; readonly bytes: Promise<Buffer> } | null = null;

  /** @param known bytes that were read before; nothing is fetched while they last */
  private constructor(source: ResumableSource, { start, end }: Span, known: Window, signal: AbortSignal) {
    this.#source = source;
    this.#bytes = byteSourceOf(source);
    this.#end = end ?? source.size;
    this.#signal = AbortSignal.any([signal, this.#stopped.signal]);
    this.#known = known;
    this.#window = known;
    this.position = start;
  }

  /**
   * Resolves when the first bytes are there.
   * @param known bytes of the file that were read before
   * @throws Failure `media_unavailable`, … or the signal's reason
   */
  static async open(
    source: ResumableSource,
    span: Span,
    known: Window,
    signal: AbortSignal,
  ): Promise<WindowFeed> {
    const feed = new WindowFeed(source, span, known, signal);
    if (feed.#held === 0) await feed.#advance();
    return feed;
  }

  get resumes(): number {
    return this.#source.resumes;
  }

  next(most: number): Buffer | Promise<Buffer> {
    const held = this.#held;
    if (held === 0) {
      return this.#advance().then(() => {
        if (this.#held === 0) throw invalid('the file ends before its tables say');
        return this.next(most);
      });
    }
    this.#lookAhead();
    const { offset, bytes } = this.#window;
    const from = this.position - offset;
    const taken = Buffer.from(bytes.subarray(from, from + Math.min(most, held)));
    this.position += taken.length;
    if (taken.length === held && this.#window !== this.#known) releaseChunk(bytes);
    return taken;
  }

  async skipTo(offset: number): Promise<void> {
    if (offset < this.position) throw invalid(`byte ${offset} after byte ${this.position}`);
    this.position = offset;
  }

  isOver(): boolean | Promise<boolean> {
    if (this.#end !== null) return this.position >= this.#end;
    return this.#held === 0 && this.#advance().then(() => this.#held === 0);
  }

  stop(): void {
    this.#stopped.abort(new Error('no longer wanted'));
  }

  /** Bytes from the position on that are there. */
  get #held(): number {
    const { offset, bytes } = this.#window;
    const end = Math.min(offset + bytes.length, this.#end ?? Number.POSITIVE_INFINITY);
    return this.position < offset ? 0 : Math.max(0, end - this.position);
  }

  async #advance(): Promise<void> {
    const offset = this.position;
    const bytes = await (this.#next?.offset === offset ? this.#next.bytes : this.#fetch(offset));
    this.#next = null;
    this.#window = { offset, bytes };
  }

  #lookAhead(): void {
    const offset = this.#window.offset + this.#window.bytes.length;
    if (this.#next !== null || this.#end === null || offset >= this.#end) return;
    this.#next = { offset, bytes: this.#fetch(offset) };
    // Told when its turn comes.
    this.#next.bytes.catch(() => {});
  }

  #fetch(start: number): Promise<Buffer> {
    const length = this.#end === null ? windowBytes : Math.min(windowBytes, this.#end - start);
    return this.#bytes.read(start, Math.max(0, length), this.#signal);
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
