import { ObjectStoreUnavailable } from '../../contracts/object-store.ts';

/** How often an unreachable store is probed, in ms. */
const probeMs = 1000;

/**
 * Believes a store to be there until a call says otherwise.
 * @param probe asks the store for something small. @throws ObjectStoreUnavailable
 */
export function createAvailability(
  probe: () => Promise<unknown>,
  onAway: (reason: string) => void,
  onReturn: () => void,
) {
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const listeners = new Set([onReturn]);

  function back(): void {
    isAway = false;
    for (const listener of listeners) listener();
  }

  function lookLater(): void {
    if (!isClosed) timer = setTimeout(look, probeMs).unref();
  }

  function look(): void {
    probe().then(back, (error: unknown) => {
      if (error instanceof ObjectStoreUnavailable) lookLater();
      // Any other error is a response of the store.
      else back();
    });
  }

  return {
    get isAway() {
      return isAway;
    },
    /** Does the call unless the store is away. @throws ObjectStoreUnavailable, and what `work` throws */
    async run<T>(task: () => Promise<T>) {
      if (isAway) throw new ObjectStoreUnavailable('it did not answer a moment ago');
      try {
        return await task();
      } catch (error) {
        if (error instanceof ObjectStoreUnavailable && !isAway && !isClosed) {
          isAway = true;
          onAway(error.message);
          lookLater();
        }
        throw error;
      }
    },
    /** Called each time the store is back. */
    onReturn: (listener: () => void) => void listeners.add(listener),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
