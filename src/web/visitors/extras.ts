import { holdAnswer, releaseAnswer } from '../../features/consent/browser/held-answer.ts';
import { isDeveloperMode } from '../browser/developer-mode.ts';
import { onFirstError } from '../browser/early-errors.ts';
import { firstGesture } from '../browser/first-gesture.ts';
import { whenIdle } from '../browser/idle.ts';
import { isSavingData } from '../browser/prefetch.ts';
import { type Consent, currentConsent, onConsent, startConsent } from '../consent/current-consent.ts';
import type { VisitorSettings } from './settings.ts';
import { startServiceWorker } from './worker-registration.ts';

/** What held when the document was loaded, by which the server has chosen its policy. */
interface DocumentStart {
  readonly settings: VisitorSettings;
  readonly consent: Consent;
}

/**
 * Something that no page needs to work, in a file of its own below a folder of this one (what lies in this folder
 * itself is part of every page).
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

/** Every extra there is. */
const extras: readonly Extra[] = [
  {
    // Whoever saves data loads it when there is something to report.
    isWanted: ({ monitoring }) => monitoring !== undefined && !isSavingData(),
    hurry: onFirstError,
    load: () => import('../../features/monitoring/browser/client.ts'),
  },
  {
    isWanted: isDeveloperMode,
    hurry: (callback) => addEventListener('hashchange', () => isDeveloperMode() && callback()),
    load: () => import('./developer/start.ts'),
  },
  {
    isWanted: ({ serviceWorker }) => serviceWorker !== undefined,
    // A few lines, of which no request of their own should be made.
    load: async () => ({ start: startServiceWorker }),
  },
  {
    isWanted: ({ push }) => push !== undefined,
    load: () => import('../../features/push/browser/start.ts'),
  },
  {
    isWanted: ({ asksFor }) => asksFor.length > 0,
    // Without scripts, and where this one cannot be had, the bar is a form that the browser sends by itself.
    hurry: holdAnswer,
    load: () =>
      firstGesture()
        .then(() => import('../../features/consent/browser/answering/answering.ts'))
        .then(({ start }) => ({
          start(settings) {
            start(settings);
            releaseAnswer();
          },
        }))
        .catch((error: unknown) => {
          releaseAnswer();
          throw error;
        }),
  },
  {
    // The policy of another document would not let it in.
    isWanted: ({ tag }, { marketing }, { settings, consent }) =>
      marketing && consent.marketing && tag !== undefined && tag.id === settings.tag?.id,
    load: () => import('../../features/tags/browser/tags.ts'),
  },
  {
    isWanted: ({ experiments }) => experiments !== undefined,
    load: () => firstGesture().then(() => import('../../features/experiments/browser/experiments.ts')),
  },
  {
    isWanted: (settings, { statistics }) => settings.statistics !== undefined && statistics,
    load: () => import('../../features/statistics/browser/start.ts'),
  },
];

/**
 * Loads the extras that are wanted.
 * @param list other extras, for tests
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

/** Loads what is configured, after the page's own work is done. To be called with each page's settings. */
export const startExtras = createExtras(extras, whenIdle);
