/** The page that is shown, as statistics know it. */
export interface PresentPage {
  /** Its key (`elk_key` of the site configuration). */
  readonly key: string;
  /** Whether it offers only sound. */
  readonly isForSound: boolean;
}

type PageListener = (page: PresentPage) => void;

let present: PresentPage | null = null;
const listeners = new Set<PageListener>();

/** Publishes the page that is shown now. */
export function showPage(page: PresentPage): void {
  present = page;
  for (const listener of listeners) listener(page);
}

/**
 * Calls back for each shown page, and at once for the present one.
 * @param signal ends it
 */
export function onPage(listener: PageListener, signal: AbortSignal): void {
  listeners.add(listener);
  signal.addEventListener('abort', () => listeners.delete(listener));
  if (present !== null) listener(present);
}
