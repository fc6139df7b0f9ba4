import { useEffect, useSyncExternalStore } from 'react';

/** The events of browsers that can install a site (Web App Manifest, installation prompts). */
interface InstallPrompt extends Event {
  /** Asks the visitor; once for each event. */
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  /** Came before this file did: `early-install.ts`. */
  var earlyInstallPrompt: InstallPrompt | undefined;
}

let prompt: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function keep(next: InstallPrompt | null): void {
  prompt = next;
  for (const listener of listeners) listener();
}

/** Keeps the browser's install prompt until the visitor is asked in our words. @returns a function that ends it */
function awaitInstallPrompt(): () => void {
  const ended = new AbortController();
  const hold = (event: Event) => {
    event.preventDefault();
    keep(event as InstallPrompt);
  };
  const { earlyInstallPrompt } = globalThis;
  if (earlyInstallPrompt !== undefined) keep(earlyInstallPrompt);
  globalThis.earlyInstallPrompt = undefined;
  addEventListener('beforeinstallprompt', hold, { signal: ended.signal });
  addEventListener('appinstalled', () => keep(null), { signal: ended.signal });
  return () => ended.abort();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the browser's install prompt. Needs a user gesture. */
async function install(): Promise<void> {
  const offered = prompt;
  keep(null);
  await offered?.prompt();
}

/** Shows the browser's install prompt; null while the browser cannot install the site, or has done so. */
export type Install = (() => Promise<void>) | null;

/** @param isWanted whether to ask the visitor in our words instead of the browser's own bar */
export function useInstall(isWanted: boolean): Install {
  useEffect(() => (isWanted ? awaitInstallPrompt() : undefined), [isWanted]);
  return useSyncExternalStore(
    subscribe,
    () => (prompt === null ? null : install),
    () => null,
  );
}
