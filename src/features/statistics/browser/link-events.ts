import type { PresentPage } from '../../../web/visitors/present-page.ts';

/** What an element says of itself. */
export interface ElementFacts {
  /** The whole address of a link; null for what is none. */
  readonly href: string | null;
  /** Its `data-` attributes as `dataset` names them. */
  readonly vars: Readonly<Record<string, string | undefined>>;
}

/** What of an event the element and the page decide. */
export interface LinkEvent {
  readonly event: string;
  readonly event_category?: string;
  readonly event_label?: string | undefined;
  readonly event_value?: string | undefined;
  readonly event_target?: { readonly url: string; readonly fullurl: string };
  /** With an empty place where nobody is named: what is empty is not sent. */
  readonly pids?: readonly (string | null | undefined)[];
  readonly install?: Readonly<Record<string, string | null | undefined>>;
}

/** Whose links lead to partners, and the applications that links install where they do not say it themselves. */
export interface LinkSettings {
  readonly partners: readonly string[];
  readonly appIds: readonly string[];
}

/** Where an event leads to, or happens, without the query. */
export const targetOf = ({ origin, pathname }: URL | Location) => ({
  event_target: { url: pathname, fullurl: origin + pathname },
});

const pageEvents: readonly (readonly [string, string])[] = [
  ['/mlink/download.php', 'download'],
  ['/checkout.htm', 'buy_now'],
  ['/order/subscribe.php', 'subscribe'],
];

/**
 * Elements that are watched, besides links to partners: those with an event, and what pops up before visitors by itself
 * (`data-popup`), which is only counted.
 */
export const trackedSelector = [
  ...pageEvents.map(([path]) => `a[href*="${path}"]`),
  '[data-vars-dpid],[data-vars-event],[data-vars-banner],[data-popup]',
].join();

/** Whether a host is a partner's, or stands below one. */
export const isPartner = (host: string, partners: readonly string[]): boolean =>
  partners.some((partner) => `.${host}`.endsWith(`.${partner}`));

/** What a banner's event says of the page: its kind, and the first part of its key. */
function bannerEvent(banner: string, page: PresentPage): LinkEvent {
  const name = banner === 'close' ? 'close_b_banner' : 'b_banner';
  return {
    event: name,
    event_category: name,
    event_label: page.isForSound ? 'kb' : 'ks',
    event_value: page.key === 'index' ? 'youtube' : page.key.split(/[-_.]/)[0],
  };
}

/** What following a link to a program says: which one, for whom it is counted, and from where it comes. */
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

/**
 * The event of an element; null where there is none to tell.
 * @param isMac which of two programs fits the visitor's computer
 */
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
 * What is told of something done with an element: a click is its event; of what was only looked at, its event is the
 * label, or its category, which banners have. Null for a control that closes something, until it does.
 */
export function interactionEvent(what: 'click' | 'hover' | 'exposure', event: LinkEvent): LinkEvent | null {
  if (what === 'click') return event;
  if (event.event_category === 'close_b_banner') return null;
  return { ...event, event: what, event_label: event.event_category ? event.event_label : event.event };
}
