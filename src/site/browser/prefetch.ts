import { useSyncExternalStore } from 'react';

const idleLimitMs = 2000;

interface Connection extends EventTarget {
  readonly effectiveType?: string;
  readonly saveData?: boolean;
}

/** False for visitors to whom every byte counts, or who have no connection at all. */
function mayPrefetch({ onLine, connection }: Navigator & { connection?: Connection }): boolean {
  return onLine && connection?.saveData !== true && connection?.effectiveType !== 'slow-2g';
}

let isIdle = false;
let wait: (() => void) | undefined;
const listeners = new Set<() => void>();
const tellAll = () => {
  for (const listener of listeners) listener();
};

/** Links wait until the browser has had nothing else to do once, or for two seconds. */
function waitForIdle(): void {
  wait ??= () => {
    isIdle = true;
    tellAll();
  };
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(wait, { timeout: idleLimitMs });
  else setTimeout(wait, idleLimitMs);
}

function subscribe(listener: () => void): () => void {
  if (wait === undefined) waitForIdle();
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
