import { Failure } from '../../failures/failures.ts';
import { type ByteReader, ConnectionReclaimed, type MediaFlow } from '../network/contracts.ts';
import { type ResumableSource, ResumeBudget } from './resumable-source.ts';

/**
 * Reads until so many bytes are present; the next reader goes on behind them.
 * @param limitMs they come with the head of the response, or something is wrong
 * @returns fewer bytes when the file ends
 * @throws Failure `platform_timeout`, or the connection's error
 */
export async function firstBytes(flow: ByteReader, wanted: number, limitMs: number): Promise<Buffer[]> {
  const late = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => late.reject(new Failure('platform_timeout', { note: 'the first bytes came too slowly' })),
    limitMs,
  );
  try {
    const held: Buffer[] = [];
    for (let bytes = 0; bytes < wanted; ) {
      const chunk = await Promise.race([flow.next(), late.promise]);
      if (chunk === null) break;
      held.push(chunk);
      bytes += chunk.length;
    }
    return held;
  } finally {
    clearTimeout(limit);
  }
}

interface ResumingFlowOptions {
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
 * Exactly the bytes from `start` to `end` of a file: cuts off surplus bytes at either end of a response, and resumes
 * interrupted ones. Ends normally only when every byte was given.
 */
export class ResumingFlow implements ByteReader {
  /** The next byte to give. */
  position: number;
  readonly #options: ResumingFlowOptions;
  readonly #held: Buffer[];
  readonly #budget = new ResumeBudget();
  readonly #stopped = new AbortController();
  #flow: MediaFlow;
  /** Bytes to drop before the position: the server began earlier than requested. */
  #skip: number;

  constructor(options: ResumingFlowOptions) {
    this.#options = options;
    this.#flow = options.flow;
    this.#held = [...(options.held ?? [])];
    this.position = options.start;
    this.#skip = options.start - options.flow.start;
  }

  /** How often the file was reopened after an interruption. */
  get resumes(): number {
    return this.#budget.resumes;
  }

  async next(): Promise<Buffer | null> {
    const { end, source } = this.#options;
    while (this.position !== end) {
      this.#checkSkip();
      let chunk: Buffer | null;
      try {
        chunk = this.#held.shift() ?? (await this.#flow.next());
        if (chunk === null && source.size !== null) throw new Error('the platform ended the file early');
      } catch (error) {
        await this.#reopen(error);
        continue;
      }
      if (chunk === null) return null;
      const wanted = this.#cut(chunk);
      this.position += wanted.length;
      if (this.position === end) this.#complete();
      if (wanted.length > 0) return wanted;
    }
    return null;
  }

  stop(): void {
    this.#stopped.abort(stopped);
    this.#flow.stop();
  }

  /** The requested part of a chunk. */
  #cut(chunk: Buffer): Buffer {
    const { end } = this.#options;
    const dropped = Math.min(this.#skip, chunk.length);
    this.#skip -= dropped;
    return chunk.subarray(dropped, end === null ? undefined : dropped + end - this.position);
  }

  #checkSkip(): void {
    const { maxSkippedBytes = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#skip <= maxSkippedBytes) return;
    this.stop();
    const note = 'the server ignores ranges, and the offset is far in';
    throw new Failure('media_unavailable', { note });
  }

  async #reopen(cause: unknown): Promise<void> {
    const { source, end } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, this.#stopped.signal]);
    signal.throwIfAborted();
    const budget = cause instanceof ConnectionReclaimed ? new ResumeBudget() : this.#budget;
    const flow = await source.resume(this.position, end, budget, cause, signal);
    if (signal.aborted) flow.stop();
    this.#flow = flow;
    this.#skip = this.position - flow.start;
  }

  /** A connection can be reused when its body was read to the end; any other is closed. */
  #complete(): void {
    const { length, start } = this.#flow;
    if (length !== null && start + length === this.position) this.#flow.next().catch(() => {});
    else this.#flow.stop();
  }
}

const stopped = new Error('no longer wanted');
