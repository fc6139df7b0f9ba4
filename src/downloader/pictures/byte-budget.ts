import { Failure } from '../../failures/failures.ts';
import { waitIn } from '../async/wait-in.ts';

/**
 * Bytes that all takers together may hold, each of them less than that; who finds no room waits for a while, in the
 * order of coming.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #patienceMs: number;
  /** Those who wait, with the bytes that they want. */
  readonly #waiting = new Map<() => void, number>();
  #used = 0;

  /** @param patienceMs who has waited this long is refused */
  constructor(maxBytes: number, patienceMs: number) {
    this.#maxBytes = maxBytes;
    this.#patienceMs = patienceMs;
  }

  /**
   * @returns a function that releases the bytes; may be called more than once
   * @throws Failure `overloaded`, or the signal's reason
   */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.size > 0 || this.#used + bytes > this.#maxBytes) await this.#turn(bytes, signal);
    else this.#used += bytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#used -= bytes;
      this.#letIn();
    };
  }

  async #turn(bytes: number, signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const giveUp = () => late.abort(new Failure('overloaded', { retryAfterS: 5, note: 'too many pictures' }));
    const timer = setTimeout(giveUp, this.#patienceMs);
    try {
      await waitIn(this.#waiting, bytes, AbortSignal.any([signal, late.signal]));
    } catch (reason) {
      this.#letIn();
      throw reason;
    } finally {
      clearTimeout(timer);
    }
  }

  #letIn(): void {
    for (const [go, bytes] of this.#waiting) {
      if (this.#used + bytes > this.#maxBytes) return;
      this.#used += bytes;
      go();
    }
  }
}
