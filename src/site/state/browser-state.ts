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
export function browserState(state: SiteState): SiteState & DocumentState {
  return {
    ...state,
    ...documentState(),
    url: location.href,
    refererUrl: document.referrer,
    // Every supported browser can show it; the server knows it only from page requests.
    isWebp: true,
  };
}
