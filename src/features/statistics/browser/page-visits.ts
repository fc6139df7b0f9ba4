import { announce, type VisitorEvent } from '../../../web/visitors/events.ts';
import type { Experiment } from '../../../web/visitors/experiment.ts';
import type { PresentPage } from '../../../web/visitors/present-page.ts';
import { trackPath } from './identity.ts';
import type { Outbox } from './outbox.ts';
import { createReading, type Reading } from './reading.ts';
import { strip } from './strip.ts';
import { tracking } from './tracking.ts';

/** A new page has its height by then. */
const settleMs = 300;

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
  /** How much of it had been read when that was last reported, in percent; -1 before. */
  reportedDepth: number;
}

/** The pages of one visit: what happens is reported for the page that is shown, none after the signal. */
export class PageVisits {
  readonly #outbox: Pick<Outbox, 'add'>;
  readonly #experiments: readonly Experiment[];
  readonly #signal: AbortSignal;
  #visit: Visit | undefined;
  /** Until the page's view is reported. */
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(outbox: Pick<Outbox, 'add'>, experiments: readonly Experiment[], signal: AbortSignal) {
    this.#outbox = outbox;
    this.#experiments = experiments;
    this.#signal = signal;
  }

  /** The page that is shown. */
  get page(): PresentPage | undefined {
    return this.#visit?.page;
  }

  report(mode: VisitorEvent['mode'], data: object = {}): void {
    if (!this.#visit || this.#signal.aborted) return;
    const all = { ...tracking(this.#visit, this.#experiments), ...data };
    const event = { upload_id: crypto.randomUUID(), mode, data: strip(all) };
    announce(event);
    this.#outbox.add(event);
  }

  /** Another page is shown; its view is reported when it has its height. */
  begin(page: PresentPage): void {
    this.leave();
    // Without the query: it contains the visitor's pasted link, or a search term.
    const url = location.origin + location.pathname;
    const [from] = (this.#visit?.url ?? document.referrer).split('?');
    const reading = createReading(extent, (percent) =>
      this.report('event', { event: 'page_scroll', event_label: `${percent}` }),
    );
    this.#visit = {
      page,
      url,
      // A document that was reloaded from itself, as by a submitted form, no longer knows it.
      referer_url: from === url ? '' : from,
      lang: document.documentElement.lang,
      reading,
      reportedDepth: -1,
    };
    trackPath(page.key);
    this.#settling = setTimeout(() => {
      reading.look();
      this.#reportView();
    }, settleMs);
  }

  /** The visitor has scrolled. The browser's own scrolling to the top of a new page does not count. */
  scrolled(): void {
    if (scrollY > 0) this.#visit?.reading.scrolled();
  }

  /** Looks how far the page is read, before it may be gone. */
  look(): void {
    this.#visit?.reading.look();
    this.scrolled();
  }

  /** Reports how far the page was read in the end. */
  leave(): void {
    this.#reportView();
    const visit = this.#visit;
    if (!visit || visit.reading.highest <= visit.reportedDepth) return;
    visit.reportedDepth = visit.reading.highest;
    this.report('event', { event: 'page_view', event_label: 'leave' });
  }

  #reportView(): void {
    clearTimeout(this.#settling);
    if (this.#settling) this.report('page_view');
    this.#settling = undefined;
  }
}
