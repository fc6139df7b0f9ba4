/** A connection that can be taken away while its client has no room, and made anew later. */
export interface ReclaimableConnection {
  reclaim(): void;
}

export interface MediaConnectionsOptions {
  /** Connections at once. */
  readonly limit: number;
  /** A connection that has been idle this long may be taken back. */
  readonly idleMs?: number;
  /** When nobody's turn has come for this long, all who wait get connections beyond the limit. */
  readonly patienceMs?: number;
  /** So does whoever has waited this long, also where turns come now and then. */
  readonly longestWaitMs?: number;
}

interface Waiting {
  readonly since: number;
  readonly go: () => void;
}

const defaultIdleMs = 1000;
const defaultPatienceMs = 3000;
const defaultLongestWaitMs = 10_000;
const lookAgainMs = 250;

/**
 * Bounds the connections that videos are read over, and with them what any number of slow downloads take in memory:
 * each connection holds some 200 kB, most of it read ahead for a client that has no room. When all are in use, the one
 * that has been idle longest is taken from its download, which asks for the rest when its client has room again.
 */
export class MediaConnections {
  readonly #limit: number;
  readonly #idleMs: number;
  readonly #patienceMs: number;
  readonly #longestWaitMs: number;
  #inUse = 0;
  /** The idle ones, since when (ms); the longest first. */
  readonly #idle = new Map<ReclaimableConnection, number>();
  /** The first to come first. */
  readonly #waiting = new Set<Waiting>();
  /** When somebody's turn last came, in ms. */
  #lastTurn = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: MediaConnectionsOptions) {
    this.#limit = options.limit;
    this.#idleMs = options.idleMs ?? defaultIdleMs;
    this.#patienceMs = options.patienceMs ?? defaultPatienceMs;
    this.#longestWaitMs = options.longestWaitMs ?? defaultLongestWaitMs;
  }

  /**
   * Waits for a turn. Whoever took a connection gives it back, once.
   * @throws the signal's reason
   */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#inUse >= this.#limit) this.#reclaimIdle(1);
    if (this.#inUse < this.#limit) this.#inUse += 1;
    else await this.#turn(signal);
  }

  give(): void {
    this.#inUse -= 1;
    const [next] = this.#waiting;
    if (this.#inUse < this.#limit) next?.go();
  }

  /** The client of this one has no room. */
  markIdle(connection: ReclaimableConnection): void {
    if (!this.#idle.has(connection)) this.#idle.set(connection, performance.now());
  }

  /** This one moves again, or has ended. */
  markActive(connection: ReclaimableConnection): void {
    this.#idle.delete(connection);
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        since: performance.now(),
        go: () => {
          this.#waiting.delete(waiting);
          signal.removeEventListener('abort', leave);
          this.#inUse += 1;
          this.#lastTurn = performance.now();
          resolve();
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
      this.#watch();
    });
  }

  /** No event tells that a connection has been idle long enough: time alone does. */
  #watch(): void {
    if (this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#reclaimIdle(this.#waiting.size);
      const now = performance.now();
      const isStuck = now - this.#lastTurn >= this.#patienceMs;
      for (const { since, go } of this.#waiting)
        if (now - since >= (isStuck ? this.#patienceMs : this.#longestWaitMs)) go();
      this.#watch();
    }, lookAgainMs);
  }

  #reclaimIdle(count: number): void {
    let left = count;
    for (const [connection, since] of this.#idle) {
      if (left === 0 || performance.now() - since < this.#idleMs) return;
      left -= 1;
      this.#idle.delete(connection);
      // Gives itself back, and so to whoever waits longest.
      connection.reclaim();
    }
  }
}
