import { firstGesture } from '../browser/later-work.ts';
import { type Consent, currentConsent, onConsent, startConsent } from '../consent/current-consent.ts';
import type { VisitorSettings } from './settings.ts';

/** The values at the time the document was loaded, by which the server chose its policy. */
interface DocumentStart {
  readonly settings: VisitorSettings;
  readonly consent: Consent;
}

/**
 * An optional part of the page in a file of its own that is loaded later, if at all. A feature's is the default export
 * of `browser/extra.ts`.
 */
export interface Extra {
  /**
   * Evaluated once the browser is idle, at each change of the visitor's consent, and with each page until it is loaded.
   */
  isNeeded(settings: VisitorSettings, consent: Consent): boolean;
  /**
   * Calls back when there is a reason not to wait until the browser is idle. Called once, and only if the extra is
   * needed.
   */
  hurry?(callback: () => void): void;
  /**
   * Loads the file. Its `start` is called once, and must itself end whatever the visitor's consent no longer covers; a
   * returned function is called with each later page's settings.
   */
  load(
    settings: VisitorSettings,
    document: DocumentStart,
  ): Promise<{ start(settings: VisitorSettings): unknown }>;
}

/**
 * Loads the needed extras.
 * @param list all extras
 * @param idle calls back once the browser is idle
 * @returns a function to call with the present page's settings whenever they change
 */
export function createExtras(list: readonly Extra[], idle: (callback: () => void) => void) {
  const loaded = new Set<Extra>();
  const later: ((settings: VisitorSettings) => void)[] = [];
  let settings: VisitorSettings | null = null;
  let first: DocumentStart | null = null;

  function load(extra: Extra, given: VisitorSettings): void {
    loaded.add(extra);
    void extra.load(given, first ?? { settings: given, consent: currentConsent() }).then(
      ({ start }) => {
        const again = start(given);
        if (typeof again === 'function') later.push(again as (settings: VisitorSettings) => void);
      },
      // A file that failed to load is requested again with the next page.
      () => loaded.delete(extra),
    );
  }

  function look(consent: Consent): void {
    if (settings === null || first === null) return;
    for (const extra of list)
      if (!loaded.has(extra) && extra.isNeeded(settings, consent)) load(extra, settings);
  }

  function hurry(extra: Extra): void {
    extra.hurry?.(() => {
      if (settings !== null && !loaded.has(extra)) load(extra, settings);
    });
  }

  return (present: VisitorSettings): void => {
    const isFirst = settings === null;
    // A gesture before the browser is idle counts.
    void firstGesture();
    settings = present;
    startConsent(present.consent);
    first ??= { settings: present, consent: currentConsent() };
    for (const again of later) again(present);
    if (isFirst) for (const extra of list) hurry(extra);
    if (isFirst) idle(() => onConsent(look));
    else idle(() => look(currentConsent()));
  };
}
