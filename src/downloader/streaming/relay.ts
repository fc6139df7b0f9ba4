import type { Writable } from 'node:stream';
import { ConnectionLetGo, type MediaFlow, type MediaSink } from '../network/contracts.ts';
import { releaseChunk } from '../network/memory.ts';
import { ClientPace } from './client-pace.ts';
import { type ResumableSource, ResumeBudget } from './resumable-source.ts';

/** How a download ended. */
export interface RelayResult {
  /** `left`: the client went away, or nobody wants the rest. `broken`: the file could not be completed. */
  readonly outcome: 'complete' | 'left' | 'broken';
  /** Bytes handed to the target. */
  readonly bytes: number;
  /** Times the platform broke off and was asked again. */
  readonly resumes: number;
  readonly error: unknown;
}

export interface RelayOptions {
  readonly source: ResumableSource<MediaFlow>;
  /** Open, with `held` read from it already. */
  readonly flow: MediaFlow;
  readonly held: readonly Buffer[];
  readonly start: number;
  /** One past the last byte to send; null when the size is unknown. */
  readonly end: number | null;
  /** Done with a chunk when it calls back: the chunk's memory is given back then. */
  readonly target: Writable;
  /** A client that hardly takes anything while this long is waited for it is given up ({@link ClientPace}). */
  readonly targetIdleMs?: number | undefined;
  /** Aborted when nobody wants the rest. */
  readonly signal: AbortSignal;
}

/**
 * Bytes that may wait in the target before the platform is held back. Less than a server response's own mark of 64 kB:
 * the kernel holds megabytes for each client anyway, and hundreds of clients wait at once.
 */
const holdAboveBytes = 8 * 1024;

/**
 * Passes a file on to a target at the target's pace, chunk by chunk, and picks it up again where the platform broke
 * off. A file that cannot be completed ends in a destroyed target, never in a clean end. Never rejects.
 */
export function relay(options: RelayOptions): Promise<RelayResult> {
  return new Relay(options).run();
}

class Relay implements MediaSink {
  readonly #options: RelayOptions;
  readonly #done = Promise.withResolvers<RelayResult>();
  readonly #stopped = new AbortController();
  readonly #budget = new ResumeBudget();
  #flow: MediaFlow;
  #position: number;
  /** Bytes to drop before the position: the server began earlier than it was asked to. */
  #skip = 0;
  readonly #pace: ClientPace;
  /** The platform is held back until the target has room. */
  #held = false;
  #drained: (() => void) | null = null;
  #settled = false;
  #ending = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#flow = options.flow;
    this.#position = options.start;
    this.#pace = new ClientPace({
      ...(options.targetIdleMs !== undefined && { windowMs: options.targetIdleMs }),
      isWaiting: () => this.#ending || this.#held,
      tooSlow: () => this.#settle('left', new Error('the client hardly took anything for too long')),
    });
  }

  run(): Promise<RelayResult> {
    const { target, signal, held } = this.#options;
    target.on('close', this.#onClose).on('error', this.#onError).on('finish', this.#onFinish);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
    else if (target.destroyed) this.#onClose();
    else {
      for (const chunk of held) this.data(chunk);
      if (!this.#settled) this.#flow.connect(this);
      if (this.#held && !this.#ending) this.#flow.pause();
    }
    return this.#done.promise;
  }

  data(chunk: Buffer): boolean {
    if (this.#settled || this.#ending) return true;
    const wanted = this.#cut(chunk);
    if (wanted.length === 0) return true;
    this.#position += wanted.length;
    const { target, end } = this.#options;
    const { length } = wanted;
    target.write(wanted, () => {
      this.#pace.took(length);
      releaseChunk(wanted);
      this.#onWritten();
    });
    if (this.#position === end) {
      this.#complete();
      return true;
    }
    if (target.writableLength <= holdAboveBytes) return true;
    this.#held = true;
    return false;
  }

  end(): void {
    if (this.#settled || this.#ending) return;
    if (this.#options.end === null) this.#complete();
    else void this.#pickUp(new Error('the platform ended the file early'));
  }

  fail(error: Error): void {
    if (!this.#settled && !this.#ending) void this.#pickUp(error);
  }

  /** The part of a chunk that belongs to the answer. */
  #cut(chunk: Buffer): Buffer {
    const { end } = this.#options;
    let wanted = chunk;
    if (this.#skip > 0) {
      const dropped = Math.min(this.#skip, chunk.length);
      this.#skip -= dropped;
      wanted = chunk.subarray(dropped);
    }
    return end !== null && this.#position + wanted.length > end
      ? wanted.subarray(0, end - this.#position)
      : wanted;
  }

  async #pickUp(cause: Error): Promise<void> {
    const { source, end } = this.#options;
    try {
      await this.#targetReady();
      if (this.#settled) return;
      const budget = cause instanceof ConnectionLetGo ? new ResumeBudget() : this.#budget;
      const flow = await source.resume(this.#position, end, budget, cause, this.#stopped.signal);
      if (this.#settled) {
        flow.stop();
        return;
      }
      this.#flow = flow;
      this.#skip = this.#position - flow.start;
      flow.connect(this);
    } catch (error) {
      this.#settle('broken', error);
    }
  }

  /** A client that takes nothing needs no new connection to the platform yet. */
  async #targetReady(): Promise<void> {
    if (!this.#held) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
  }

  #complete(): void {
    this.#ending = true;
    const { length, start } = this.#flow;
    // A connection whose body is used up can serve again; any other is closed.
    const usedUp = length === null ? this.#options.end === null : start + length === this.#position;
    if (!usedUp) this.#flow.stop();
    this.#options.target.end();
  }

  #onWritten(): void {
    if (!this.#held || this.#settled || this.#options.target.writableLength > holdAboveBytes) return;
    this.#held = false;
    if (this.#drained !== null) {
      this.#drained();
      this.#drained = null;
    } else if (!this.#ending) this.#flow.resume();
  }

  readonly #onFinish = (): void => this.#settle(this.#ending ? 'complete' : 'left', null);
  readonly #onClose = (): void => this.#settle('left', null);
  readonly #onError = (error: Error): void => this.#settle('left', error);
  readonly #onAbort = (): void => this.#settle('left', this.#options.signal.reason);
  #settle(outcome: RelayResult['outcome'], error: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    const { target, signal, start } = this.#options;
    this.#pace.end();
    signal.removeEventListener('abort', this.#onAbort);
    target.off('close', this.#onClose).off('finish', this.#onFinish);
    this.#drained?.();
    if (outcome !== 'complete') {
      this.#stopped.abort(error);
      this.#flow.stop();
      target.destroy();
    }
    this.#done.resolve({ outcome, bytes: this.#position - start, resumes: this.#budget.resumes, error });
  }
}
