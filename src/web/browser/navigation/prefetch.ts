import { useSyncExternalStore } from 'react';
import { whenIdle } from '../idle.ts';
import { isReloaded } from './reloaded.ts';

interface Connection extends EventTarget {
  readonly effectiveType?: string;
  readonly saveData?: boolean;
}

/** Whether the visitor wants to fetch as little as can be. */
export const isSavingData = (): boolean =>
  (navigator as Navigator & { connection?: Connection }).connection?.saveData === true;

/**
 * False for visitors to whom every byte counts, or who have no connection at all. False as well where the document was
 * reloaded: the router reloads it when it cannot have code that it fetches beforehand, and would do so without end.
 */
function mayPrefetch({ onLine, connection }: Navigator & { connection?: Connection }): boolean {
  return onLine && connection?.saveData !== true && connection?.effectiveType !== 'slow-2g' && !isReloaded();
}

let isIdle = false;
let isAwaited = false;
const listeners = new Set<() => void>();
const tellAll = () => {
  for (const listener of listeners) listener();
};

/** Links wait until the browser has had nothing else to do once. */
function waitForIdle(): void {
  isAwaited = true;
  whenIdle(() => {
    isIdle = true;
    tellAll();
  });
}

function subscribe(listener: () => void): () => void {
  if (!isAwaited) waitForIdle();
  listeners.add(listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** How a link of the site fetches its page beforehand: when it comes into view, once the browser is idle. */
export function usePrefetch(): 'viewport' | 'none' {
  return useSyncExternalStore(
    subscribe,
    () => (isIdle && mayPrefetch(navigator) ? 'viewport' : 'none'),
    () => 'none',
  );
}
