import { useSyncExternalStore } from 'react';
import { whenIdle } from '../later-work.ts';
import { createStore } from '../store.ts';
import { isReloaded } from './route-modules.ts';

interface Connection extends EventTarget {
  readonly effectiveType?: string;
  readonly saveData?: boolean;
}

/** Whether the visitor wants to save data. */
export const isSavingData = (): boolean =>
  (navigator as Navigator & { connection?: Connection }).connection?.saveData === true;

/**
 * False for visitors who save data or are offline. Also false after a reload: the router reloads the document when it
 * cannot load prefetched code, and would do so endlessly.
 */
function mayPrefetch({ onLine, connection }: Navigator & { connection?: Connection }): boolean {
  return onLine && connection?.saveData !== true && connection?.effectiveType !== 'slow-2g' && !isReloaded();
}

const isIdle = createStore(false);
let isAwaited = false;

/** Links wait until the browser was idle once. */
function subscribe(listener: () => void): () => void {
  if (!isAwaited) whenIdle(() => isIdle.set(true));
  isAwaited = true;
  const end = isIdle.subscribe(listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    end();
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** How a link of the site is prefetched: when it comes into view, once the browser is idle. */
export function usePrefetch(): 'viewport' | 'none' {
  return useSyncExternalStore(
    subscribe,
    () => (isIdle.get() && mayPrefetch(navigator) ? 'viewport' : 'none'),
    () => 'none',
  );
}
