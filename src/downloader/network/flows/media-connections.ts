import { waitIn } from '../../async/turns.ts';

/** A connection that can be reclaimed while its client has no room, and reopened later. */
export interface ReclaimableConnection {
  reclaim(): void;
}

export interface MediaConnectionsOptions {
  /** Connections at once. */
  readonly limit: number;
  /** A connection that has been idle this long may be taken back. */
  readonly idleMs?: number;
  /** When no waiter got a connection for this long, all waiters get one beyond the limit. */
  readonly patienceMs?: number;
}

const defaultIdleMs = 1000;
const defaultPatienceMs = 3000;
/** A waiter that has waited this long gets one beyond the limit, even if others are served now and then. */
const longestWaitMs = 10_000;
const lookAgainMs = 250;

/**
 * Limits the connections that videos are read over, and thereby the memory of slow downloads: each connection holds
 * some 200 kB, most of it read ahead for a client without room. When all are in use, the connection that has idled
 * longest is reclaimed from its download, which requests the rest when its client has room again.
 */
export class MediaConnections {
  readonly #limit: number;
  readonly #idleMs: number;
  readonly #patienceMs: number;
  #inUse = 0;
  /** The idle ones, since when (ms); the longest first. */
  readonly #idle = new Map<ReclaimableConnection, number>();
  /** Those who wait, since when (ms). */
  readonly #waiting = new Map<() => void, number>();
  /** When a waiter last got a connection, in ms. */
  #lastTurn = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: MediaConnectionsOptions) {
    this.#limit = options.limit;
    this.#idleMs = options.idleMs ?? defaultIdleMs;
    this.#patienceMs = options.patienceMs ?? defaultPatienceMs;
  }

  /** Waits for a connection. The taker must return it once. @throws the signal's reason */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#inUse >= this.#limit) this.#reclaimIdle(1);
    if (this.#inUse < this.#limit) this.#inUse += 1;
    else await this.#turn(signal);
  }

  give(): void {
    this.#inUse -= 1;
    const [next] = this.#waiting.keys();
    if (this.#inUse < this.#limit && next !== undefined) this.#letIn(next);
  }

  /** The client of this one has no room. */
  markIdle(connection: ReclaimableConnection): void {
    if (!this.#idle.has(connection)) this.#idle.set(connection, performance.now());
  }

  /** This one moves again, or has ended. */
  markActive(connection: ReclaimableConnection): void {
    this.#idle.delete(connection);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const turn = waitIn(this.#waiting, performance.now(), signal);
    this.#watch();
    await turn;
  }

  #letIn(go: () => void): void {
    this.#inUse += 1;
    this.#lastTurn = performance.now();
    go();
  }

  /** No event signals that a connection has idled long enough, so a timer checks. */
  #watch(): void {
    if (this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#reclaimIdle(this.#waiting.size);
      const now = performance.now();
      const isStuck = now - this.#lastTurn >= this.#patienceMs;
      for (const [go, since] of this.#waiting)
        if (now - since >= (isStuck ? this.#patienceMs : longestWaitMs)) this.#letIn(go);
      this.#watch();
    }, lookAgainMs);
  }

  #reclaimIdle(count: number): void {
    let left = count;
    for (const [connection, since] of this.#idle) {
      if (left === 0 || performance.now() - since < this.#idleMs) return;
      left -= 1;
      this.#idle.delete(connection);
      // This returns the connection, which then goes to the longest waiter.
      connection.reclaim();
    }
  }
}
