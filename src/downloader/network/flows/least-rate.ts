/**
 * Tells a body that comes so slowly that it would never be whole from one that is only slow. Counts while it runs; a
 * pause that the reader made counts for nobody.
 */
export class LeastRate {
  readonly #leastBytes: number;
  readonly #tooSlow: () => void;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #running = false;

  /** @param tooSlow called once, when less than `leastBytes` came within `windowMs` */
  constructor(windowMs: number, leastBytes: number, tooSlow: () => void) {
    this.#leastBytes = leastBytes;
    this.#tooSlow = tooSlow;
    this.#timer = setTimeout(this.#onTimer, windowMs).unref();
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Begins a new window, unless one runs. */
  run(): void {
    if (this.#running) return;
    this.#running = true;
    this.#bytes = 0;
    this.#timer.refresh();
  }

  pause(): void {
    this.#running = false;
  }

  end(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  readonly #onTimer = (): void => {
    if (!this.#running) return;
    if (this.#bytes < this.#leastBytes) this.#tooSlow();
    else {
      this.#bytes = 0;
      this.#timer.refresh();
    }
  };
}
