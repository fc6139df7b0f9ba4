import type { PresentPage } from '../../../site/visitors/present-page.ts';

/** An element's attributes. */
export interface ElementFacts {
  /** The whole address of a link; null for other elements. */
  readonly href: string | undefined;
  /** Its `data-` attributes as `dataset` names them. */
  readonly vars: Readonly<Record<string, string | undefined>>;
}

/** The part of an event that the element and the page determine. */
export interface LinkEvent {
  readonly event: string;
  readonly event_category?: string;
  readonly event_label?: string | undefined;
  readonly event_value?: string | undefined;
  readonly event_target?: { readonly url: string; readonly fullurl: string };
  /** An empty value for an unnamed one: empty values are not sent. */
  readonly pids?: readonly (string | null | undefined)[];
  readonly install?: Readonly<Record<string, string | null | undefined>>;
}

/** Whose links lead to partners, and the applications that links install where they do not say it themselves. */
export interface LinkSettings {
  readonly partners: readonly string[];
  readonly appIds: readonly string[];
}

/** An event's target or place, without the query. */
export const targetOf = ({ origin, pathname }: URL | Location) => ({
  event_target: { url: pathname, fullurl: origin + pathname },
});

const pageEvents: readonly (readonly [string, string])[] = [
  ['/mlink/download.php', 'download'],
  ['/checkout.htm', 'buy_now'],
  ['/order/subscribe.php', 'subscribe'],
];

/**
 * The watched elements, besides links to partners: those with an event, and popups (`data-popup`), which are only
 * counted.
 */
export const trackedSelector = [
  ...pageEvents.map(([path]) => `a[href*="${path}"]`),
  '[data-vars-dpid],[data-vars-event],[data-vars-banner],[data-popup]',
].join();

/** Whether a host is a partner's, or a subdomain of one. */
export const isPartner = (host: string, partners: readonly string[]): boolean =>
  partners.some((partner) => `.${host}`.endsWith(`.${partner}`));

/** A banner event's statement about the page: its kind, and the first part of its key. */
function bannerEvent(banner: string, page: PresentPage): LinkEvent {
  const name = banner === 'close' ? 'close_b_banner' : 'b_banner';
  return {
    event: name,
    event_category: name,
    event_label: page.isForSound ? 'kb' : 'ks',
    event_value: page.key === 'index' ? 'youtube' : page.key.split(/[-_.]/)[0],
  };
}

/** The event of a link to a program: which one, for whom it is counted, and where it was followed. */
function installation(url: URL | null, vars: ElementFacts['vars'], appId: string | undefined) {
  const pid = vars.varsDpid ?? url?.searchParams.get('pid');
  const install = {
    package_name: vars.varsPackage,
    app_id: vars.varsAppid ?? appId,
    pid,
    download_url: url && url.origin + url.pathname,
  };
  return { event_label: 'p', pids: [pid], install };
}

/** The event of an element; null when it has none. @param isMac which of two programs fits the visitor's computer */
export function linkEvent(
  { href, vars }: ElementFacts,
  page: PresentPage,
  { partners, appIds }: LinkSettings,
  isMac: boolean,
): LinkEvent | null {
  // Mail, messages and programs lead nowhere.
  const url = href?.startsWith('http') ? new URL(href) : null;
  const target = url && targetOf(url);
  if (vars.varsBanner !== undefined) return { ...bannerEvent(vars.varsBanner, page), ...target };
  const known = pageEvents.find(([path]) => url?.pathname.endsWith(path))?.[1];
  const event =
    vars.varsEvent ??
    known ??
    (vars.varsDpid === undefined ? undefined : 'download') ??
    (url && isPartner(url.hostname, partners) ? 'guide_jump' : null);
  if (event === null) return null;
  if (event === 'download') return { event, ...installation(url, vars, appIds[isMac ? 1 : 0]), ...target };
  return { event, event_label: vars.varsLabel, pids: [vars.varsDpid], ...target };
}

/**
 * The reported event of an interaction: a click is the element's event; of an exposure or hover, that event is the
 * label, or its category, which banners have. Null for a close button until it is pressed.
 */
export function interactionEvent(what: 'click' | 'hover' | 'exposure', event: LinkEvent): LinkEvent | null {
  if (what === 'click') return event;
  if (event.event_category === 'close_b_banner') return null;
  return { ...event, event: what, event_label: event.event_category ? event.event_label : event.event };
}
