import { Failure } from '../../../failures/failures.ts';
import type { SoundFacts } from '../contracts.ts';

/**
 * How long an encoding may take in ms: four times as fast as the sound plays, and three minutes for what is slow to begin.
 * On two loaded cores it is some thirty times as fast.
 */
export function encodingLimitMs({ durationS }: Pick<SoundFacts, 'durationS'>): number {
  return 180_000 + durationS * 250;
}

/** What ends an encoding besides its own end: the caller, the wall limit, or the encoder being closed. */
export class EncodingLimits {
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #callerSignal: AbortSignal;
  readonly #onCallerAbort = () => this.stop(this.#callerSignal.reason);
  /** Aborted with the reason that the caller must see. */
  readonly signal: AbortSignal = this.#stop.signal;

  constructor(callerSignal: AbortSignal, wallLimitMs: number) {
    this.#callerSignal = callerSignal;
    this.#timer = setTimeout(
      () => this.stop(new Failure('conversion_timeout', { note: `not done after ${wallLimitMs} ms` })),
      wallLimitMs,
    );
    callerSignal.addEventListener('abort', this.#onCallerAbort, { once: true });
    if (callerSignal.aborted) this.#onCallerAbort();
  }

  stop(reason: unknown): void {
    if (!this.#stop.signal.aborted) this.#stop.abort(reason);
  }

  /** Rejects when the encoding is stopped; never resolves. Made once, so that races leave no listeners behind. */
  readonly stopped: Promise<never> = this.#makeStopped();

  /** Must be called once, however the encoding ends. */
  release(): void {
    clearTimeout(this.#timer);
    this.#callerSignal.removeEventListener('abort', this.#onCallerAbort);
  }

  #makeStopped(): Promise<never> {
    const stopped = new Promise<never>((_, reject) => {
      this.#stop.signal.addEventListener('abort', () => reject(this.#stop.signal.reason), { once: true });
    });
    // Whoever races against it gets the reason; nobody may be racing at that moment.
    stopped.catch(() => undefined);
    return stopped;
  }
}

/**
 * Gives each chunk to `take` until the chunks end or the limits stop it. It does not wait for a chunk that never comes:
 * an iterator that hangs is told to return and left to the signal it was made with.
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
