import { onConsent } from '../../../web/consent/current-consent.ts';
import type { Experiment } from '../../../web/visitors/experiment.ts';
import { onPage } from '../../../web/visitors/present-page.ts';
import type { VisitorSettings } from '../../../web/visitors/settings.ts';
import { reportDownloads } from './downloads.ts';
import { addToGuest, beginVisit } from './identity.ts';
import { watchInteractions } from './interactions.ts';
import { interactionEvent, linkEvent, targetOf } from './link-events.ts';
import { createOutbox } from './outbox.ts';
import { PageVisits } from './page-visits.ts';
import { identifyToPartners } from './partner-links.ts';
import { createTransport } from './transport.ts';

type StatisticsSettings = NonNullable<VisitorSettings['statistics']>;

/** Interval for checking a scrolling page. */
const scrollMs = 200;

/** Reports what a visitor does, until the signal ends it. */
function report(settings: StatisticsSettings, experiments: readonly Experiment[], signal: AbortSignal): void {
  const outbox = createOutbox(createTransport(`${settings.base}/api/web/report`, signal));
  const visits = new PageVisits(outbox, experiments, signal);
  const settleClicks = reportInteractions(visits, settings, signal);
  reportDownloads(
    (file) =>
      visits.report('event', {
        event: 'download',
        event_label: file.option,
        event_value: file.outcome,
        file,
        ...targetOf(location),
      }),
    signal,
  );
  onPage((page) => {
    settleClicks();
    visits.begin(page);
  }, signal);
  watchScrolling(() => visits.scrolled(), signal);
  addEventListener('online', () => outbox.flush(), { signal });
  // The last event that every browser fires; a page in the back/forward cache continues afterwards.
  document.addEventListener(
    'visibilitychange',
    () => {
      if (!document.hidden) return;
      settleClicks();
      visits.look();
      visits.leave();
      outbox.flush(true);
    },
    { signal },
  );
  signal.addEventListener('abort', outbox.end);
}

/** Reports clicks, hovering, and what came into view. @returns a function that reports pending clicks at once */
function reportInteractions(
  visits: PageVisits,
  { partners, appIds }: StatisticsSettings,
  signal: AbortSignal,
): () => void {
  return watchInteractions((what, element) => {
    const { page } = visits;
    // For link lists report clicks only; exposure is reported for the list as a whole.
    if (!page || (what !== 'click' && element.matches('[data-vars-clicks] *'))) return;
    const { href = null, dataset } = element as HTMLAnchorElement;
    if (what === 'exposure' && dataset.popup === '') addToGuest(0, 1);
    const isMac = navigator.userAgent.includes('Mac');
    const event = linkEvent({ href, vars: dataset }, page, { partners, appIds }, isMac);
    const data = event && interactionEvent(what, event);
    if (data !== null) visits.report('event', data);
  }, signal);
}

/** Calls back some times a second while the page scrolls, and once more before another page replaces it. */
function watchScrolling(onScrolled: () => void, signal: AbortSignal): void {
  let isWaiting = false;
  const look = () => {
    isWaiting = false;
    onScrolled();
  };
  addEventListener(
    'scroll',
    () => {
      if (!isWaiting) setTimeout(look, scrollMs);
      isWaiting = true;
    },
    { signal, passive: true },
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
