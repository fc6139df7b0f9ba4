/**
 * Runs a task when its owner has a turn.
 * @param isNext goes before tasks that wait: it completes what another task has begun
 * @throws what the task throws, or the signal's reason while it waits
 */
export type TakeTurn = <Result>(
  signal: AbortSignal,
  task: () => Promise<Result>,
  isNext?: boolean,
) => Promise<Result>;

/** Runs a task at once. */
export const atOnce: TakeTurn = (_signal, task) => task();

interface Owner {
  running: number;
  /** Each starts a waiting task; the first to come first. */
  readonly next: Map<() => void, null>;
  readonly waiting: Map<() => void, null>;
}

/** Lets each owner run so many tasks at a time; further ones wait, first come, first served. */
export class Turns {
  readonly #owners = new Map<string, Owner>();

  /** The turns of one owner. @param most tasks at a time */
  of(name: string, most: number): TakeTurn {
    return async (signal, task, isNext = false) => {
      await this.#take(name, most, isNext, signal);
      try {
        return await task();
      } finally {
        this.#give(name);
      }
    };
  }

  async #take(name: string, most: number, isNext: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const owner = this.#owners.get(name) ?? { running: 0, next: new Map(), waiting: new Map() };
    this.#owners.set(name, owner);
    if (owner.running < most) {
      owner.running += 1;
      return;
    }
    // A task that ends hands its turn over.
    await waitIn(isNext ? owner.next : owner.waiting, null, signal);
  }

  #give(name: string): void {
    const owner = this.#owners.get(name);
    if (owner === undefined) return;
    const [start] = (owner.next.size > 0 ? owner.next : owner.waiting).keys();
    if (start === undefined) owner.running -= 1;
    else start();
    if (owner.running === 0) this.#owners.delete(name);
  }
}

/**
 * Waits in a line, the first to come first, until called.
 * @param line the calls of those who wait, and what is known of each
 * @throws the signal's reason; its place is given up then
 */
export function waitIn<Known>(
  line: Map<() => void, Known>,
  known: Known,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const call = () => {
    line.delete(call);
    signal.removeEventListener('abort', leave);
    resolve();
  };
  const leave = () => {
    line.delete(call);
    reject(signal.reason);
  };
  line.set(call, known);
  signal.addEventListener('abort', leave, { once: true });
  return promise;
}
