import { useSyncExternalStore } from 'react';

/** A value of the page that its components and other code share. @param initial also on the server and while hydrating */
export function createStore<T>(initial: T) {
  let present = initial;
  const listeners = new Set<() => void>();
  const get = () => present;
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return {
    get,
    set(next: T): void {
      if (next === present) return;
      present = next;
      for (const listener of listeners) listener();
    },
    /** Calls back at each change. @returns a function that ends it */
    subscribe,
    /** The value, at each change. */
    use: (): T => useSyncExternalStore(subscribe, get, () => initial),
  };
}
