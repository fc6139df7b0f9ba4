import type { Writable } from 'node:stream';
import type { MediaSink } from '../network/contracts.ts';
import { releaseChunk } from '../network/memory.ts';
import { ClientPace } from './client-pace.ts';

/** A file that is passed on: it starts when it is connected, and is held back by what its sink answers. */
export interface RelayedFlow {
  connect(sink: MediaSink): void;
  /** The taker has room again. */
  resume(): void;
  /** Closes the connections; no more bytes are delivered. */
  stop(): void;
  /** How often the platform closed the connection and the download resumed. */
  readonly resumes: number;
}

/** How a download ended. */
export interface RelayResult {
  /** `left`: the client left, or the rest is not needed. `broken`: the file could not be completed. */
  readonly outcome: 'complete' | 'left' | 'broken';
  /** Bytes handed to the target. */
  readonly bytes: number;
  /** How often the platform closed the connection and the download resumed. */
  readonly resumes: number;
  readonly error: unknown;
}

export interface RelayOptions {
  readonly flow: RelayedFlow;
  /** Done with a chunk when it calls back: the chunk's memory is given back then. */
  readonly target: Writable;
  /** A client that takes hardly any bytes for this long is given up ({@link ClientPace}). */
  readonly targetIdleMs?: number | undefined;
  /** Aborts when the rest is not needed. */
  readonly signal: AbortSignal;
}

/**
 * Bytes that may wait in the target before the platform is held back. Less than a server response's own mark of 64 kB:
 * the kernel buffers megabytes for each client anyway, and hundreds of clients wait at once.
 */
const holdAboveBytes = 8 * 1024;

/**
 * Passes a file on to a target at the target's pace, chunk by chunk. A file that cannot be completed destroys the
 * target and never ends it cleanly. Never rejects.
 */
export function relay(options: RelayOptions): Promise<RelayResult> {
  return new Relay(options).run();
}

class Relay implements MediaSink {
  readonly #options: RelayOptions;
  readonly #done = Promise.withResolvers<RelayResult>();
  readonly #pace: ClientPace;
  #bytes = 0;
  /** The platform is held back until the target has room. */
  #isHeldBack = false;
  #settled = false;
  #ending = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#pace = new ClientPace({
      ...(options.targetIdleMs !== undefined && { windowMs: options.targetIdleMs }),
      isWaiting: () => this.#ending || this.#isHeldBack,
      tooSlow: () => this.#settle('left', new Error('the client hardly took anything for too long')),
    });
  }

  run(): Promise<RelayResult> {
    const { target, signal, flow } = this.#options;
    target.on('close', this.#onClose).on('error', this.#onError).on('finish', this.#onFinish);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
    else if (target.destroyed) this.#onClose();
    else flow.connect(this);
    return this.#done.promise;
  }

  data(chunk: Buffer): boolean {
    const { target } = this.#options;
    const { length } = chunk;
    this.#bytes += length;
    target.write(chunk, () => {
      this.#pace.took(length);
      releaseChunk(chunk);
      this.#onWritten();
    });
    // Set here and cleared when something was written, never here: the flow waits for that.
    if (target.writableLength > holdAboveBytes) this.#isHeldBack = true;
    return !this.#isHeldBack;
  }

  end(): void {
    this.#ending = true;
    this.#options.target.end();
  }

  fail(error: Error): void {
    this.#settle('broken', error);
  }

  #onWritten(): void {
    const { target, flow } = this.#options;
    if (!this.#isHeldBack || this.#settled || target.writableLength > holdAboveBytes) return;
    this.#isHeldBack = false;
    flow.resume();
  }

  readonly #onFinish = (): void => this.#settle(this.#ending ? 'complete' : 'left', null);
  readonly #onClose = (): void => this.#settle('left', null);
  readonly #onError = (error: Error): void => this.#settle('left', error);
  readonly #onAbort = (): void => this.#settle('left', this.#options.signal.reason);
  #settle(outcome: RelayResult['outcome'], error: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    const { target, signal, flow } = this.#options;
    this.#pace.end();
    signal.removeEventListener('abort', this.#onAbort);
    target.off('close', this.#onClose).off('finish', this.#onFinish);
    if (outcome !== 'complete') {
      flow.stop();
      target.destroy();
    }
    this.#done.resolve({ outcome, bytes: this.#bytes, resumes: flow.resumes, error });
  }
}
