import { useEffect, useSyncExternalStore } from 'react';

/** What browsers tell that can keep a site as an app (Web App Manifest, installation prompts). */
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

/** Keeps the browser's offer to install the site until the visitor is asked in our words. @returns ends it */
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

/** Has the browser ask whether the site is to be installed. Needs a press of the visitor's. */
async function install(): Promise<void> {
  const offered = prompt;
  keep(null);
  await offered?.prompt();
}

/** Has the browser ask whether the site is to be installed; null while it cannot keep it as an app, or has done so. */
export type Install = (() => Promise<void>) | null;

/** @param isWanted whether the visitor is to be asked in our words, in the place of the browser's own bar */
export function useInstall(isWanted: boolean): Install {
  useEffect(() => (isWanted ? awaitInstallPrompt() : undefined), [isWanted]);
  return useSyncExternalStore(
    subscribe,
    () => (prompt === null ? null : install),
    () => null,
  );
}
