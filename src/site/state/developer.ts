import { isDeveloperMode } from '../browser/device/developer-mode.ts';
import { onEvent } from '../visitors/events.ts';
import type { DocumentState, SiteState } from './site-state.ts';

const contentOf = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

/** The part of the state that only the page knows: how it was loaded in this browser. */
function documentState(): DocumentState {
  const [navigation] = performance.getEntriesByType('navigation');
  const { responseStatus } = (navigation ?? {}) as { responseStatus?: number };
  const screen = document.querySelector('.error-screen');
  return {
    meta: {
      title: document.title,
      description: contentOf('description'),
      keywords: contentOf('keywords'),
    },
    status: responseStatus ?? null,
    errorMessage: screen?.querySelector('h1')?.textContent ?? null,
  };
}

/** The site-wide state with what only this browser knows. */
function browserState(state: SiteState): SiteState & DocumentState {
  return {
    ...state,
    ...documentState(),
    url: location.href,
    refererUrl: document.referrer,
    // Every supported browser can show it; the server knows it only from page requests.
    isWebp: true,
  };
}

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
