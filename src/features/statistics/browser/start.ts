import { onConsent } from '../../../site/consent/current-consent.ts';
import { announce, type VisitorEvent } from '../../../site/visitors/events.ts';
import type { Experiment } from '../../../site/visitors/experiment.ts';
import { onPage, type PresentPage } from '../../../site/visitors/present-page.ts';
import type { VisitorSettings } from '../../../site/visitors/settings.ts';
import { cookieValue } from '../../../site/visitors/stored-cookies.ts';
import { reportDownloads } from './downloads.ts';
import { addToGuest, beginVisit, identity, isKnown, trackPath } from './identity.ts';
import { type Interaction, watchInteractions, whenChanged } from './interactions.ts';
import { interactionEvent, isPartner, linkEvent, targetOf } from './link-events.ts';
import { createOutbox, createTransport } from './outbox.ts';
import { createReading, type Reading } from './reading.ts';

/** Version of the reports' format, not of this site. */
const webVersion = '2.2.6';

/** Days for which an experiment's bucket is stored. */
const bucketDays = 30;

/** A page while it is shown. */
interface Tracked {
  readonly url: string;
  /** The referring page. */
  readonly referer_url: string | undefined;
  /** The document's, which may be the next page's when this one is left. */
  readonly lang: string;
  readonly reading: Reading;
}

/**
 * The common data of every report on page and visitor; empty values are stripped afterwards.
 * @param experiments that may run; the server knows on which pages they do
 */
function tracking({ url, referer_url, lang, reading }: Tracked, experiments: readonly Experiment[]) {
  const day = new Date().toISOString().slice(0, 10);
  return {
    ...identity(),
    url,
    referer_url,
    scroll_height: reading.total,
    viewport_height: innerHeight,
    viewport_width: innerWidth,
    web_version: webVersion,
    ga_ids: { year: day.slice(0, 4), day },
    lang_domain: `${lang}.${location.host}`,
    xargs_request_type: isKnown() && 'sendBeacon' in navigator ? 'send_beacon' : 'axios',
    highest_page_viewed_percent: reading.highest,
    ab_try_list: experiments
      .map(({ name: key }) => ({ key, version: '1', value: cookieValue(key), expire_day: bucketDays }))
      .filter(({ value }) => value !== null),
  };
}

const delayMs = 1000;
const parameters = ['token_id', 's_id'] as const;

const partnerLinks = (partners: readonly string[]) =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href^="http"]')].filter(({ hostname }) =>
    isPartner(hostname, partners),
  );

/** Says in a link who follows it, or no longer. */
function setIdentity(link: HTMLAnchorElement, nameOf: (parameter: string) => string | null): void {
  const url = new URL(link.href);
  for (const parameter of parameters) {
    const value = nameOf(parameter);
    if (!value) url.searchParams.delete(parameter);
    else url.searchParams.set(parameter, value);
  }
  if (url.href !== link.href) link.href = url.href;
}

/**
 * Adds the visitor's names to links to partners, one second after they appear on the page; nowhere else.
 * @param signal removes them again
 */
function identifyToPartners(partners: readonly string[], signal: AbortSignal): void {
  if (partners.length === 0) return;
  const add = () => {
    for (const link of partnerLinks(partners)) setIdentity(link, cookieValue);
  };
  whenChanged(delayMs, add, signal);
  signal.addEventListener('abort', () => {
    for (const link of partnerLinks(partners)) setIdentity(link, () => null);
  });
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  Object(value) === value && !Array.isArray(value);

const isNothing = (value: unknown): boolean =>
  // Also the texts of null and undefined, and an empty list or object.
  ['', 'null', 'undefined'].includes(String(value)) || JSON.stringify(value) === '{}';

/** Removes empty values from a report: empty texts, null, and the word "undefined". */
export function strip(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = Object.entries(data).map(([key, value]): [string, unknown] => [
    key,
    isPlain(value) ? strip(value) : value,
  ]);
  return Object.fromEntries(values.filter(([, value]) => !isNothing(value)));
}

type StatisticsSettings = NonNullable<VisitorSettings['statistics']>;

/** A new page has its height by then. */
const settleMs = 300;
/** Interval for checking a scrolling page. */
const scrollMs = 200;

/** Reports what a visitor does, until the signal ends it. */
function report(settings: StatisticsSettings, experiments: readonly Experiment[], signal: AbortSignal): void {
  const outbox = createOutbox(createTransport(`${settings.base}/api/web/report`, signal));
  let visit: (Tracked & { readonly page: PresentPage }) | undefined;
  /** How much of the page had been read when that was last reported, in percent. */
  let reportedDepth: number;
  let settling: ReturnType<typeof setTimeout> | undefined;

  function report(mode: VisitorEvent['mode'], data: object = {}): void {
    if (!visit || signal.aborted) return;
    const event = {
      upload_id: crypto.randomUUID(),
      mode,
      data: strip({ ...tracking(visit, experiments), ...data }),
    };
    announce(event);
    outbox.add(event);
  }

  function reportView(): void {
    clearTimeout(settling);
    if (settling) report('page_view');
    settling = undefined;
  }

  /** Says how far the page was read in the end. */
  function leave(): void {
    reportView();
    if (!visit || visit.reading.highest <= reportedDepth) return;
    reportedDepth = visit.reading.highest;
    report('event', { event: 'page_view', event_label: 'leave' });
  }

  const settleClicks = watchInteractions((what, element) => {
    const data = visit && dataOf(what, element as HTMLAnchorElement, visit.page, settings);
    if (data) report('event', data);
  }, signal);

  reportDownloads((file) => {
    report('event', {
      event: 'download',
      event_label: file.option,
      event_value: file.outcome,
      file,
      ...targetOf(location),
    });
  }, signal);

  onPage((page) => {
    settleClicks();
    leave();
    reportedDepth = -1;
    // Without the query: it contains the visitor's pasted link, or a search term.
    const url = location.origin + location.pathname;
    const [from] = (visit?.url ?? document.referrer).split('?');
    const reading = createReading(
      () => ({ seen: scrollY + innerHeight, total: document.documentElement.scrollHeight }),
      (percent) => report('event', { event: 'page_scroll', event_label: `${percent}` }),
    );
    visit = {
      page,
      url,
      // A document that was reloaded from itself, as by a submitted form, no longer knows it.
      referer_url: from === url ? '' : from,
      lang: document.documentElement.lang,
      reading,
    };
    trackPath(page.key);
    settling = setTimeout(() => {
      reading.look();
      reportView();
    }, settleMs);
  }, signal);

  /** The browser's own scrolling to the top of a new page does not count. */
  const look = () => scrollY > 0 && visit?.reading.scrolled();
  watchScrolling(look, signal);
  addEventListener('online', () => outbox.flush(), { signal });
  // The last event that every browser fires; a page in the back/forward cache continues afterwards.
  document.addEventListener(
    'visibilitychange',
    () => {
      if (!document.hidden) return;
      settleClicks();
      visit?.reading.look();
      look();
      leave();
      outbox.flush(true);
    },
    { signal },
  );
  signal.addEventListener('abort', outbox.end);
}

/** The reported part of an interaction; null for nothing. */
function dataOf(
  what: Interaction,
  element: HTMLAnchorElement,
  page: PresentPage,
  settings: StatisticsSettings,
): object | null {
  // For link lists report clicks only; exposure is reported for the list as a whole.
  if (what !== 'click' && element.matches('[data-vars-clicks] *')) return null;
  const { href, dataset: vars } = element;
  if (what === 'exposure' && vars.popup === '') addToGuest(0, 1);
  const event = linkEvent({ href, vars }, page, settings, navigator.userAgent.includes('Mac'));
  return event && interactionEvent(what, event);
}

/** Calls back some times a second while the page scrolls, and before another page replaces it. */
function watchScrolling(look: () => void, signal: AbortSignal): void {
  let isWaiting = false;
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        look();
      }, scrollMs);
    },
    { signal },
  );
  // Browsers without this event miss the last moment of scrolling.
  globalThis.navigation?.addEventListener('navigate', look, { signal });
}

/** Runs a function while it is enabled. */
function whileEnabled(run: (signal: AbortSignal) => void): (isEnabled: boolean) => void {
  let running: AbortController | undefined;
  return (isEnabled) => {
    if (isEnabled === Boolean(running)) return;
    running?.abort();
    running = isEnabled ? new AbortController() : undefined;
    if (running) run(running.signal);
  };
}

/** Reports what a visitor does, for as long as they agree. */
export function start({ statistics, experiments = [] }: VisitorSettings): void {
  if (statistics === undefined) return;
  const keepReporting = whileEnabled((signal) => {
    beginVisit();
    report(statistics, experiments, signal);
  });
  const keepIdentifying = whileEnabled((signal) => identifyToPartners(statistics.partners, signal));
  onConsent((consent) => {
    keepIdentifying(consent.statistics && consent.marketing);
    keepReporting(consent.statistics);
  });
}
