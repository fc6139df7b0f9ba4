import { onConsent } from '../../../web/consent/current-consent.ts';
import { announce, type VisitorEvent } from '../../../web/visitors/events.ts';
import type { Experiment } from '../../../web/visitors/experiment.ts';
import { onPage, type PresentPage } from '../../../web/visitors/present-page.ts';
import type { VisitorSettings } from '../../../web/visitors/settings.ts';
import { reportDownloads } from './downloads.ts';
import { addToGuest, beginVisit, trackPath } from './identity.ts';
import { watchInteractions } from './interactions.ts';
import { interactionEvent, linkEvent, targetOf } from './link-events.ts';
import { createOutbox } from './outbox.ts';
import { identifyToPartners } from './partner-links.ts';
import { createReading, type Reading } from './reading.ts';
import { strip } from './strip.ts';
import { tracking } from './tracking.ts';
import { createTransport } from './transport.ts';

type StatisticsSettings = NonNullable<VisitorSettings['statistics']>;

/** A new page has its height by then. */
const settleMs = 300;
/** Interval for checking a scrolling page. */
const scrollMs = 200;

const extent = () => ({
  seen: scrollY + innerHeight,
  total: document.documentElement.scrollHeight,
});

/** A page while it is shown. */
interface Visit {
  readonly page: PresentPage;
  readonly url: string;
  /** The referring page. */
  readonly referer_url: string | undefined;
  readonly lang: string;
  readonly reading: Reading;
  /** The last reported depth. */
  told: number;
}

/** Reports what a visitor does, until the signal ends it. */
function report(
  { base, partners, appIds }: StatisticsSettings,
  experiments: readonly Experiment[],
  signal: AbortSignal,
): void {
  const outbox = createOutbox(createTransport(`${base}/api/web/report`, signal));
  let visit: Visit | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;

  function report(mode: VisitorEvent['mode'], data: object = {}): void {
    if (!visit || signal.aborted) return;
    const all = { ...tracking(visit, experiments), ...data };
    const event = { upload_id: crypto.randomUUID(), mode, data: strip(all) };
    announce(event);
    outbox.add(event);
  }

  const view = () => {
    clearTimeout(settling);
    if (settling) report('page_view');
    settling = undefined;
  };

  /** The browser's own scrolling to the top of a new page does not count. */
  const look = () => {
    isLooking = false;
    if (scrollY > 0) visit?.reading.scrolled();
  };

  /** Says how far the page was read in the end. */
  function leave(): void {
    view();
    if (!visit || visit.reading.highest <= visit.told) return;
    visit.told = visit.reading.highest;
    report('event', { event: 'page_view', event_label: 'leave' });
  }

  const settleClicks = watchInteractions((what, element) => {
    // For link lists report clicks only; exposure is reported for the list as a whole.
    if (!visit || (what !== 'click' && element.matches('[data-vars-clicks] *'))) return;
    const { href = null, dataset } = element as HTMLAnchorElement;
    if (what === 'exposure' && dataset.popup === '') addToGuest(0, 1);
    const isMac = navigator.userAgent.includes('Mac');
    const event = linkEvent({ href, vars: dataset }, visit.page, { partners, appIds }, isMac);
    const told = event && interactionEvent(what, event);
    if (told !== null) report('event', told);
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
    // Without the query: it contains the visitor's pasted link, or a search term.
    const url = location.origin + location.pathname;
    const [from] = (visit?.url ?? document.referrer).split('?');
    const reading = createReading(extent, (percent) =>
      report('event', { event: 'page_scroll', event_label: `${percent}` }),
    );
    visit = {
      page,
      url,
      // A document that was reloaded from itself, as by a submitted form, no longer knows it.
      referer_url: from === url ? '' : from,
      lang: document.documentElement.lang,
      reading,
      told: -1,
    };
    trackPath(page.key);
    settling = setTimeout(() => {
      reading.look();
      view();
    }, settleMs);
  }, signal);

  addEventListener(
    'scroll',
    () => {
      if (!isLooking) setTimeout(look, scrollMs);
      isLooking = true;
    },
    { signal, passive: true },
  );
  // Before another page replaces this one; browsers without this event miss the last moment of scrolling.
  globalThis.navigation?.addEventListener('navigate', look, { signal });
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
