import type { SoundFacts } from '../../../../downloader/media/contracts.ts';

/** This device takes longer than is worth waiting for. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Seconds of sound by which it shows: by then the browser has compiled the codecs. */
const provenByS = 10;
/** A device that is far too slow is not waited for so long, in ms of encoding. */
const patienceMs = 4000;

/** Measures how fast a sound is encoded: the work alone, not the waiting for its bytes. */
export class Stopwatch {
  readonly #leastSpeed: number;
  readonly #provenByS: number;
  readonly #proven: () => void;
  readonly #now: () => number;
  #isProven = false;
  #spentMs = 0;
  #doneS = 0;

  /**
   * @param leastSpeed seconds of sound in a second
   * @param proven told once, when it is fast enough
   */
  constructor(
    { durationS }: Pick<SoundFacts, 'durationS'>,
    leastSpeed: number,
    proven: () => void,
    now: () => number = () => performance.now(),
  ) {
    this.#leastSpeed = leastSpeed;
    this.#provenByS = Math.min(provenByS, durationS / 2);
    this.#proven = proven;
    this.#now = now;
  }

  /** Does a piece of the work. @param soundS of what it encodes @throws TooSlow after it, when that is plain */
  measure<T>(soundS: number, task: () => T): T {
    const startMs = this.#now();
    const result = task();
    this.#spentMs += this.#now() - startMs;
    this.#doneS += soundS;
    if (!this.#isProven) this.#judge();
    return result;
  }

  #judge(): void {
    const isTime = this.#doneS >= this.#provenByS;
    if (!isTime && this.#spentMs < patienceMs) return;
    if (this.#doneS < (this.#spentMs / 1000) * this.#leastSpeed) throw new TooSlow(`${this.#spentMs} ms`);
    if (!isTime) return;
    this.#isProven = true;
    this.#proven();
  }
}
