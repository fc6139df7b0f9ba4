/** Runs `fetch` on several items at once and gives the results in order; stops and waits for all when it is left. */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  fetch: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const running: Promise<Result>[] = [];
  let next = 0;
  const startMore = () => {
    for (let item = items[next]; item !== undefined && running.length < limit; item = items[++next]) {
      const result = fetch(item, both);
      // An early rejection is rethrown when its item is reached; until then it must not count as unhandled.
      result.catch(() => undefined);
      running.push(result);
    }
  };
  try {
    signal.throwIfAborted();
    startMore();
    for (let result = running.shift(); result !== undefined; result = running.shift()) {
      const value = await result;
      signal.throwIfAborted();
      startMore();
      yield value;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
}

/** Waits for both; when one fails, the other is stopped. @throws what the first one to fail throws */
export async function together<A, B>(
  signal: AbortSignal,
  start: (signal: AbortSignal) => [A | Promise<A>, B | Promise<B>],
): Promise<[A, B]> {
  const failed = new AbortController();
  try {
    return await Promise.all(start(AbortSignal.any([signal, failed.signal])));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}
