import { useSyncExternalStore } from 'react';

/** What browsers tell that can keep a site as an app (Web App Manifest, installation prompts). */
interface InstallPrompt extends Event {
  /** Asks the visitor; once for each event. */
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

let prompt: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function keep(next: InstallPrompt | null): void {
  prompt = next;
  for (const listener of listeners) listener();
}

/**
 * Keeps the browser's offer to install the site until the visitor is asked in our words, in the place of its own bar.
 * It comes once for a document, and at any time.
 * @returns ends it
 */
export function awaitInstallPrompt(): () => void {
  const ended = new AbortController();
  const hold = (event: Event) => {
    event.preventDefault();
    keep(event as InstallPrompt);
  };
  addEventListener('beforeinstallprompt', hold, { signal: ended.signal });
  addEventListener('appinstalled', () => keep(null), { signal: ended.signal });
  return () => ended.abort();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the browser can keep the site as an app, and has not done so yet. */
export function useCanInstall(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => prompt !== null,
    () => false,
  );
}

/** Has the browser ask whether the site is to be installed. Needs a press of the visitor's. */
export async function install(): Promise<void> {
  const offered = prompt;
  keep(null);
  await offered?.prompt();
}
