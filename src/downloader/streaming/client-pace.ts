export interface ClientPaceOptions {
  /** Time spent waiting for the client, in ms, after which its pace is looked at. */
  readonly windowMs?: number;
  /** Whether it is the client that everything waits for now. */
  readonly isWaiting: () => boolean;
  /** Called once. */
  readonly tooSlow: () => void;
}

/** Kernel buffers let a slow client look idle for a minute and more. */
const defaultWindowMs = 300_000;
/** Bytes that it must have taken by then, 220 a second: a tenth of the slowest phone's rate. */
const leastBytes = 64 * 1024;
const looksInWindow = 20;

/**
 * Distinguishes a client that does not read from one that is slow. Time counts while bytes wait for the client, and
 * never while bytes are awaited; bytes that the client takes always count.
 */
export class ClientPace {
  readonly #options: ClientPaceOptions;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #looks = 0;

  constructor(options: ClientPaceOptions) {
    this.#options = options;
    this.#timer = setInterval(this.#look, (options.windowMs ?? defaultWindowMs) / looksInWindow);
  }

  /** The client took so many bytes. */
  took(bytes: number): void {
    this.#bytes += bytes;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  readonly #look = (): void => {
    const { isWaiting, tooSlow } = this.#options;
    if (isWaiting()) this.#looks += 1;
    if (this.#looks < looksInWindow) return;
    if (this.#bytes < leastBytes) {
      this.end();
      tooSlow();
    }
    this.#looks = 0;
    this.#bytes = 0;
  };
}
