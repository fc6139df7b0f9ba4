import { writeStored } from '../../../../site/browser/device/device-storage.ts';
import { type Consent, consentCategories, consentValue } from '../../../../site/consent/consent-cookie.ts';
import {
  consentAnswer,
  consentChanged,
  currentConsent,
  isRefusedBySignal,
  onConsent,
} from '../../../../site/consent/current-consent.ts';
import type { VisitorSettings } from '../../../../site/visitors/settings.ts';
import { statisticsItems } from '../../../../site/visitors/stored/statistics-items.ts';
import { consentItem } from '../../../../site/visitors/stored/stored-item.ts';
import { cookieValue, storeCookie } from '../../../../site/visitors/stored-cookies.ts';
import { isTagCookie, tagCookieDomains } from '../../tag-cookies.ts';
import { readConsentForm } from '../consent-form.ts';
import { markConsent } from '../consent-mark.ts';

/** The element that had the focus before the bar was opened, and gets it back afterwards. */
let opener: HTMLElement | null = null;

const bar = () => document.getElementById('consent');

/** Ticks the visitor's present choice. */
function tickPresent(): void {
  const present = consentAnswer() ?? currentConsent();
  for (const category of consentCategories) {
    const box = bar()?.querySelector<HTMLInputElement>(`input[name=${category}]`);
    if (box) box.checked = present[category];
  }
}

/** Shows the bar again. @param from the link that was followed */
function openBar(from: HTMLElement): void {
  opener = from;
  tickPresent();
  const { dataset } = document.documentElement;
  if (dataset.consent === 'closed') dataset.consent = isRefusedBySignal() ? 'refused' : 'answered';
  dataset.consentOpen = '';
  const controls = bar()?.querySelectorAll<HTMLElement>('button, .consent-refused a') ?? [];
  [...controls].find((one) => one.checkVisibility())?.focus({ preventScroll: true });
}

/** Takes the bar away, and the keyboard back to where it was. */
function closeBar(): void {
  const { dataset } = document.documentElement;
  const hadFocus = document.activeElement?.closest('.consent') != null;
  delete dataset.consentOpen;
  dataset.consent = 'closed';
  if (hadFocus) (opener ?? document.getElementById('content'))?.focus({ preventScroll: true });
  opener = null;
}

const firstRetryMs = 10_000;

/** Waits, but no longer than until the browser is online again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    addEventListener('online', end, { once: true });
    function end(): void {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    }
  });
}

/**
 * Makes the server delete this browser's data, under the token that is already deleted here: retries at growing
 * intervals for as long as the page is open.
 * @param base where reports are sent
 */
export async function askToForget(base: string, token_id: string): Promise<void> {
  const ask = () =>
    fetch(`${base}/api/web/report`, {
      method: 'DELETE',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token_id }),
    });
  for (let waitMs = firstRetryMs; ; waitMs *= 2) {
    const status = await ask().then(
      (response) => response.status,
      () => 0,
    );
    // Busy, broken or missing; any other response is final.
    if (status !== 0 && status !== 429 && status < 500) return;
    await pause(waitMs);
  }
}

/** Deletes what waits for consent to statistics. */
function deleteStatistics(): void {
  for (const [name, { where }] of Object.entries(statisticsItems))
    if (where === 'localStorage') writeStored(name, null);
    else if (cookieValue(name) !== null) storeCookie(name, '', 0);
}

/** Deletes the tag script's cookies, on the page's host and for its domain. */
function deleteTagCookies(): void {
  const names = document.cookie.split('; ').map((cookie) => cookie.split('=')[0] ?? '');
  const places = tagCookieDomains(location.hostname).map((domain) => (domain ? `; Domain=${domain}` : ''));
  for (const name of names.filter(isTagCookie))
    for (const place of places) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and answers later
      document.cookie = `${name}=; Max-Age=0; Path=/${place}`;
    }
}

function keep(consent: Consent, { statistics }: VisitorSettings): void {
  const token = cookieValue('token_id') ?? cookieValue('tmp_token_id');
  storeCookie('consent', consentValue(consent), consentItem.lifeS);
  // Senders have stopped before the cookies are deleted.
  consentChanged();
  if (!consent.statistics && token !== null) void askToForget(statistics?.base ?? '', token);
}

/** Handles the consent bar's forms and links without leaving the page, and stores the answer. */
export function start(settings: VisitorSettings): void {
  onConsent(({ statistics, marketing }) => {
    if (!statistics) deleteStatistics();
    // Before an answer the tag script cannot have run here: existing cookies belong to another site of the same domain.
    if (!marketing && settings.asksFor.includes('marketing') && consentAnswer() !== null) deleteTagCookies();
  });
  // An answer in another tab, even a refusal, makes this bar obsolete.
  const askNoMore = () => {
    const isAsking = document.documentElement.dataset.consent === undefined;
    if (isAsking && consentAnswer() !== null) markConsent(settings.consent);
  };
  askNoMore();
  new BroadcastChannel('consent').addEventListener('message', askNoMore);
  addEventListener('visibilitychange', askNoMore);
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.getAttribute('action') !== '/consent') return;
    event.preventDefault();
    const consent = readConsentForm(new FormData(form, event.submitter), settings.asksFor);
    if (consent === null) return;
    keep(consent, settings);
    closeBar();
    const status = document.getElementById('consent-kept');
    if (status !== null) status.textContent = form.dataset.kept ?? '';
  });
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && document.documentElement.dataset.consentOpen === '') closeBar();
  });
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#con"]');
    const isClose = link?.closest('.consent') !== null && link?.hash === '#content';
    if (link === null || !(isClose || link.hash === '#consent')) return;
    event.preventDefault();
    if (isClose) closeBar();
    else openBar(link);
  });
}
