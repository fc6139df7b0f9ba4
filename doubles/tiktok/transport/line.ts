import { setTimeout as delay } from 'node:timers/promises';

/** Burst size after a pause, and the granularity of sharing. */
const BURST_MS = 4;
const TURN_MS = 2;
const LARGEST_TURN = 65_536;

/** The time by which a line carries. */
export interface LineClock {
  now(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const realClock: LineClock = {
  now: () => performance.now(),
  pause: (ms, signal) => delay(ms, undefined, { signal }),
};

/**
 * A line of limited bandwidth shared by any number of transfers: each sends a few kilobytes and waits until the line
 * has carried them, so that together they never exceed the bandwidth.
 */
export class Line {
  readonly bitsPerSecond: number;
  /** Bytes in one turn. */
  readonly turnBytes: number;
  readonly #clock: LineClock;
  #freeAtMs = 0;

  constructor(bitsPerSecond: number, clock = realClock) {
    this.bitsPerSecond = bitsPerSecond;
    this.#clock = clock;
    const turn = Math.floor((bitsPerSecond / 8000) * TURN_MS);
    this.turnBytes = Math.min(LARGEST_TURN, Math.max(1, turn));
  }

  /** Resolves when the line has carried the bytes. @throws the signal's reason */
  async carry(bytes: number, signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.now();
    this.#freeAtMs = Math.max(nowMs - BURST_MS, this.#freeAtMs) + (bytes * 8000) / this.bitsPerSecond;
    const waitMs = this.#freeAtMs - nowMs;
    if (waitMs >= 1) await this.#clock.pause(waitMs, signal);
  }
}
