import { useSyncExternalStore } from 'react';

/** The event of browsers that can install a site (Web App Manifest, installation prompts). */
interface InstallPrompt extends Event {
  /** Asks the visitor; once for each event. */
  prompt(): Promise<unknown>;
}

declare global {
  /** Kept by a script in the head (`layout.tsx`) until the visitor is asked in our words; absent once they were. */
  var earlyInstallPrompt: InstallPrompt | undefined;
}

/** Tells the other elements of the page that the prompt was used. */
const used = 'install-prompt-used';

function subscribe(listener: () => void): () => void {
  const ended = new AbortController();
  for (const name of ['beforeinstallprompt', 'appinstalled', used])
    addEventListener(name, listener, { signal: ended.signal });
  return () => ended.abort();
}

/** Shows the browser's install prompt; null while the browser cannot install the site, or has done so. */
export function useInstall(): (() => void) | null {
  const prompt = useSyncExternalStore(
    subscribe,
    () => globalThis.earlyInstallPrompt,
    () => undefined,
  );
  if (prompt === undefined) return null;
  return () => {
    globalThis.earlyInstallPrompt = undefined;
    dispatchEvent(new Event(used));
    void prompt.prompt();
  };
}
