import { Failure } from '../../../failures/failures.ts';
import type { SoundFacts } from '../contracts.ts';

/**
 * Time limit of an encoding in ms: a quarter of the sound's duration, and three minutes for a slow start. Two loaded
 * cores encode about thirty times as fast as the sound plays.
 */
export function encodingLimitMs({ durationS }: Pick<SoundFacts, 'durationS'>): number {
  return 180_000 + durationS * 250;
}

/** Stops an encoding early: the caller, the time limit, or the encoder being closed. */
export class EncodingLimits {
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** Aborted with the reason that the caller must see. */
  readonly signal: AbortSignal;
  /** Rejects when the encoding is stopped; never resolves. Created once, so that races leave no listeners behind. */
  readonly stopped: Promise<never>;

  constructor(callerSignal: AbortSignal, wallLimitMs: number) {
    const signal = AbortSignal.any([callerSignal, this.#stop.signal]);
    const { promise, reject } = Promise.withResolvers<never>();
    // Racers get the reason; at times nobody races.
    promise.catch(() => undefined);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    this.signal = signal;
    this.stopped = promise;
    this.#timer = setTimeout(
      () => this.stop(new Failure('conversion_timeout', { note: `not done after ${wallLimitMs} ms` })),
      wallLimitMs,
    );
  }

  stop(reason: unknown): void {
    this.#stop.abort(reason);
  }

  /** Must be called, however the encoding ends. */
  release(): void {
    clearTimeout(this.#timer);
  }
}

/** The encodings of an encoder that run, each until its limits are released. */
export class RunningEncodings {
  readonly #running = new Map<EncodingLimits, Promise<void>>();

  /** Counts an encoding as running while it is read, and releases its limits then. @throws what `encoded` throws */
  async *count(limits: EncodingLimits, encoded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const over = Promise.withResolvers<void>();
    this.#running.set(limits, over.promise);
    try {
      yield* encoded;
    } finally {
      limits.release();
      this.#running.delete(limits);
      over.resolve();
    }
  }

  /** Stops all of them, and resolves when they have ended. */
  async stop(): Promise<void> {
    for (const limits of this.#running.keys()) limits.stop(new Failure('stopping'));
    await Promise.all(this.#running.values());
  }
}

/**
 * Passes each chunk to `take` until the chunks end or the limits stop it. It does not wait for a chunk that never
 * comes: a hanging iterator gets `return()` and is left to its own signal.
 */
export async function feed(
  chunks: AsyncIterable<Uint8Array>,
  limits: EncodingLimits,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), limits.stopped]);
      if (next.done) {
        ended = true;
        return;
      }
      await Promise.race([take(next.value), limits.stopped]);
    }
  } finally {
    // Its errors come too late to matter: the encoding has failed already.
    if (!ended) iterator.return?.().then(undefined, () => undefined);
  }
}
