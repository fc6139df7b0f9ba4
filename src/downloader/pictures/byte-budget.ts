import { Failure } from '../../failures/failures.ts';

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Bytes that all takers together may hold, each of them less than that; who finds no room waits for a while, in the
 * order of coming.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #patienceMs: number;
  readonly #waiting: Waiting[] = [];
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
    if (this.#waiting.length > 0 || this.#used + bytes > this.#maxBytes) await this.#turn(bytes, signal);
    else this.#used += bytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#used -= bytes;
      this.#letIn();
    };
  }

  #turn(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        settle();
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(reason);
        this.#letIn();
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(
        () => leave(new Failure('overloaded', { retryAfterS: 5, note: 'too many pictures' })),
        this.#patienceMs,
      );
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        bytes,
        go: () => {
          settle();
          resolve();
        },
      };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #letIn(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#used + next.bytes > this.#maxBytes) return;
      this.#waiting.shift();
      this.#used += next.bytes;
      next.go();
    }
  }
}
