import { isDeveloperMode } from '../browser/device/developer-mode.ts';
import { onEvent } from '../visitors/events.ts';
import { browserState } from './browser-state.ts';
import type { SiteState } from './site-state.ts';

async function logState(): Promise<void> {
  const query = new URLSearchParams({ path: location.pathname + location.search });
  const response = await fetch(`/api/state?${query}`);
  if (!response.ok) throw new Error(`GET /api/state: status ${response.status}`);
  const { data } = (await response.json()) as { data: SiteState };
  console.info('Site state', browserState(data));
}

/** Logs the state of each page and each event to the browser's console, until `#dev=0`. */
export function start(): void {
  let endEvents: (() => void) | null = null;

  function update(): void {
    if (!isDeveloperMode()) {
      endEvents?.();
      endEvents = null;
      return;
    }
    endEvents ??= onEvent((event) => console.info('Event', event));
    logState().catch((error: unknown) => console.warn(error));
  }

  update();
  addEventListener('hashchange', update);
  // Changes of the page without a new document.
  (globalThis as { navigation?: EventTarget }).navigation?.addEventListener('navigatesuccess', update);
}
