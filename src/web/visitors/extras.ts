import { firstGesture } from '../browser/first-gesture.ts';
import { type Consent, currentConsent, onConsent, startConsent } from '../consent/current-consent.ts';
import type { VisitorSettings } from './settings.ts';

/** What held when the document was loaded, by which the server has chosen its policy. */
interface DocumentStart {
  readonly settings: VisitorSettings;
  readonly consent: Consent;
}

/**
 * Something that no page needs to work, in a file of its own that is loaded later, if at all. A feature has its own as
 * the default export of `browser/extra.ts`.
 */
export interface Extra {
  /** Asked once the browser is idle, at each change of the visitor's consent, and with each page until it is loaded. */
  isWanted(settings: VisitorSettings, consent: Consent, document: DocumentStart): boolean;
  /** Calls back when there is a reason not to wait until the browser is idle. Asked once, and only where it is wanted. */
  hurry?(callback: () => void): void;
  /**
   * Loads the file. Its `start` is called once, and has to end by itself what the visitor's consent no longer covers; a
   * function that it returns is called with each later page's settings.
   */
  load(): Promise<{ start(settings: VisitorSettings): unknown }>;
}

/**
 * Loads the extras that are wanted.
 * @param list every extra there is
 * @param idle calls back once the browser is idle
 * @returns to be called with the present page's settings, each time that they are others
 */
export function createExtras(list: readonly Extra[], idle: (callback: () => void) => void) {
  const loaded = new Set<Extra>();
  const later: ((settings: VisitorSettings) => void)[] = [];
  let settings: VisitorSettings | null = null;
  let first: DocumentStart | null = null;

  function load(extra: Extra, given: VisitorSettings): void {
    loaded.add(extra);
    void extra.load().then(
      ({ start }) => {
        const again = start(given);
        if (typeof again === 'function') later.push(again as (settings: VisitorSettings) => void);
      },
      // A file that cannot be had just now is asked for again with the next page.
      () => loaded.delete(extra),
    );
  }

  function look(consent: Consent): void {
    if (settings === null || first === null) return;
    for (const extra of list)
      if (!loaded.has(extra) && extra.isWanted(settings, consent, first)) load(extra, settings);
  }

  function hurry(extra: Extra): void {
    extra.hurry?.(() => {
      if (settings !== null && !loaded.has(extra)) load(extra, settings);
    });
  }

  return (present: VisitorSettings): void => {
    const isFirst = settings === null;
    // One that comes before the browser is idle counts.
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
