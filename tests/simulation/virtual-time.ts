/** One callback at its time. */
interface Timer {
  readonly at: number;
  /** Of two at the same time, the older one comes first. */
  readonly number: number;
  readonly fire: () => void;
  isCleared: boolean;
}

/** Time that passes only when nothing remains to be done at the present moment. */
export interface VirtualTime {
  /** ms since the start */
  readonly now: () => number;
  /** Timers that have neither fired nor been cleared. */
  readonly pending: number;
  /** Calls back after this many ms. @returns a function that cancels it */
  after(ms: number, fire: () => void): () => void;
  /** Resolves after this many ms. @throws the signal's reason */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets time pass until no timer is left, or until `endMs`. */
  run(endMs?: number): Promise<void>;
}

const realSetImmediate = setImmediate;
/** Resolves when all promises have settled that can settle without time passing. */
const settled = () => new Promise<void>((resolve) => realSetImmediate(resolve));

/** Timers in a binary heap, the next one on top. */
class Timers {
  readonly #heap: Timer[] = [];

  get next(): Timer | undefined {
    return this.#heap[0];
  }

  add(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#swapUnlessOrdered(above, at)) return;
      at = above;
    }
  }

  removeNext(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return;
    heap[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const below = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapUnlessOrdered(at, below)) return;
      at = below;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return false;
    return a.at < b.at || (a.at === b.at && a.number < b.number);
  }

  #swapUnlessOrdered(above: number, below: number): boolean {
    if (!this.#isBefore(below, above)) return false;
    const [a, b] = [this.#heap[above], this.#heap[below]] as [Timer, Timer];
    this.#heap[above] = b;
    this.#heap[below] = a;
    return true;
  }
}

/**
 * Runs `work` with timers (`setTimeout`, `clearTimeout`) on a virtual clock, and restores the real ones afterwards.
 * Other timers and `AbortSignal.timeout` stay real: simulated code must not use them.
 */
export async function withVirtualTime<T>(task: (time: VirtualTime) => Promise<T>): Promise<T> {
  const timers = new Timers();
  let now = 0;
  let count = 0;
  let pending = 0;

  function add(ms: number, fire: () => void): Timer {
    const timer = { at: now + Math.max(0, ms), number: count++, fire, isCleared: false };
    timers.add(timer);
    pending += 1;
    return timer;
  }

  function clear(timer: Timer | undefined): void {
    if (timer === undefined || timer.isCleared) return;
    timer.isCleared = true;
    pending -= 1;
  }

  const time: VirtualTime = {
    now: () => now,
    get pending() {
      return pending;
    },
    after(ms, fire) {
      const timer = add(ms, fire);
      return () => clear(timer);
    },
    pause: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = () => {
          clear(timer);
          reject(signal?.reason);
        };
        const timer = add(ms, () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        });
        signal?.addEventListener('abort', leave, { once: true });
      }),
    async run(endMs = Number.POSITIVE_INFINITY) {
      await settled();
      for (let timer = timers.next; timer !== undefined && timer.at <= endMs; timer = timers.next) {
        timers.removeNext();
        if (timer.isCleared) continue;
        clear(timer);
        now = timer.at;
        timer.fire();
        await settled();
      }
      if (endMs !== Number.POSITIVE_INFINITY) now = endMs;
    },
  };

  const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
  const virtualSetTimeout = (fire: () => void, ms = 0) => {
    const handle = { timer: add(ms, fire), ref: () => handle, unref: () => handle };
    return handle;
  };
  globalThis.setTimeout = virtualSetTimeout as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((handle?: { timer: Timer }) => clear(handle?.timer)) as typeof clearTimeout;
  try {
    return await task(time);
  } finally {
    globalThis.setTimeout = realSetTimeout;
    globalThis.clearTimeout = realClearTimeout;
  }
}
