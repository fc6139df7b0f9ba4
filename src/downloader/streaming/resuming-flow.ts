import { Failure } from '../../failures/failures.ts';
import { ConnectionReclaimed, type MediaFlow, type MediaSink } from '../network/contracts.ts';
import { type ResumableSource, ResumeBudget } from './resumable-source.ts';

export interface ResumingFlowOptions {
  readonly source: ResumableSource;
  /** Open, with `held` read from it already. */
  readonly flow: MediaFlow;
  readonly held?: readonly Buffer[];
  /** First byte to give; not before the flow's own. */
  readonly start: number;
  /** One past the last byte to deliver; null when the size is unknown. */
  readonly end: number | null;
  /** Bytes that may be dropped to reach an offset on a server that ignores ranges; without bound when left out. */
  readonly maxSkippedBytes?: number;
  /** Aborts when the rest is not needed. */
  readonly signal: AbortSignal;
}

/**
 * Exactly the bytes from `start` to `end` of a file, pushed: cuts off surplus bytes at either end of a response, and
 * resumes interrupted ones. Ends normally only when every byte was delivered.
 */
export class ResumingFlow implements MediaSink {
  /** The next byte to give. */
  position: number;
  readonly #options: ResumingFlowOptions;
  readonly #budget = new ResumeBudget();
  readonly #stopped = new AbortController();
  #flow: MediaFlow;
  #sink: MediaSink | null = null;
  /** Bytes to drop before the position: the server began earlier than requested. */
  #skip: number;
  #isPaused = false;
  /** The interruption's error, while there is no room for the rest. */
  #broken: Error | null = null;
  #isOver = false;

  constructor(options: ResumingFlowOptions) {
    this.#options = options;
    this.#flow = options.flow;
    this.position = options.start;
    this.#skip = options.start - options.flow.start;
  }

  /** How often the file was reopened after an interruption. */
  get resumes(): number {
    return this.#budget.resumes;
  }

  /** Starts the flow. */
  connect(sink: MediaSink): void {
    this.#sink = sink;
    for (const chunk of this.#options.held ?? []) this.data(chunk);
    // Also when the held bytes were all: an unread end would keep the connection from being reused.
    if (!this.#stopped.signal.aborted) this.#connectFlow(this.#flow);
  }

  /** The taker has room again. */
  resume(): void {
    if (!this.#isPaused || this.#isOver) return;
    this.#isPaused = false;
    const broken = this.#broken;
    this.#broken = null;
    if (broken !== null) void this.#pickUp(broken);
    else this.#flow.resume();
  }

  /** Closes the connection; no more bytes are delivered. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopped.abort();
    this.#flow.stop();
  }

  data(chunk: Buffer): boolean {
    if (this.#isOver) return true;
    const wanted = this.#cut(chunk);
    if (wanted.length === 0) return true;
    this.position += wanted.length;
    if (this.#sink?.data(wanted) === false) this.#isPaused = true;
    if (this.position === this.#options.end) this.#complete();
    return this.#isOver || !this.#isPaused;
  }

  end(): void {
    if (this.#isOver) return;
    if (this.#options.source.size === null) this.#complete();
    else this.fail(new Error('the platform ended the file early'));
  }

  /** A taker without room needs no new connection to the platform yet. */
  fail(error: Error): void {
    if (this.#isOver) return;
    if (this.#isPaused) this.#broken = error;
    else void this.#pickUp(error);
  }

  /** The requested part of a chunk. */
  #cut(chunk: Buffer): Buffer {
    const { end } = this.#options;
    const dropped = Math.min(this.#skip, chunk.length);
    this.#skip -= dropped;
    return chunk.subarray(dropped, end === null ? undefined : dropped + end - this.position);
  }

  #connectFlow(flow: MediaFlow): void {
    const { maxSkippedBytes = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#skip > maxSkippedBytes) {
      const note = 'the server ignores ranges, and the offset is far in';
      this.#giveUp(new Failure('media_unavailable', { note }));
      return;
    }
    flow.connect(this);
    // The held bytes fill the room: nothing is read before there is more.
    if (this.#isPaused && !this.#isOver) flow.pause();
  }

  async #pickUp(cause: Error): Promise<void> {
    const { source, end } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, this.#stopped.signal]);
    try {
      const budget = cause instanceof ConnectionReclaimed ? new ResumeBudget() : this.#budget;
      const flow = await source.resume(this.position, end, budget, cause, signal);
      if (this.#isOver) {
        flow.stop();
        return;
      }
      this.#flow = flow;
      this.#skip = this.position - flow.start;
      this.#connectFlow(flow);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    if (this.#isOver) return;
    this.stop();
    this.#sink?.fail(error instanceof Error ? error : new Error('stopped', { cause: error }));
  }

  #complete(): void {
    const { length, start } = this.#flow;
    // A connection with a completely read body can be reused; any other is closed.
    const isUsedUp = length === null ? this.#options.end === null : start + length === this.position;
    if (isUsedUp) this.#isOver = true;
    else this.stop();
    this.#sink?.end();
  }
}
