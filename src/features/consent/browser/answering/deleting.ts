import { statisticsItems } from '../../../../web/visitors/stored/statistics-items.ts';
import { cookieValue, storeCookie } from '../../../../web/visitors/stored-cookies.ts';
import { isTagCookie, tagCookieDomains } from '../../tag-cookies.ts';

function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch (thrown) {
    // A forbidden storage is empty.
    if (!(thrown instanceof DOMException)) throw thrown;
  }
}

/** Deletes what waits for consent to statistics. */
export function deleteStatistics(): void {
  for (const [name, { where }] of Object.entries(statisticsItems))
    if (where === 'localStorage') forget(name);
    else if (cookieValue(name) !== null) storeCookie(name, '', 0);
}

/** Deletes the tag script's cookies, on the page's host and for its domain. */
export function deleteTagCookies(): void {
  const names = document.cookie.split('; ').map((cookie) => cookie.split('=')[0] ?? '');
  const places = tagCookieDomains(location.hostname).map((domain) => (domain ? `; Domain=${domain}` : ''));
  for (const name of names.filter(isTagCookie))
    for (const place of places) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and answers later
      document.cookie = `${name}=; Max-Age=0; Path=/${place}`;
    }
}
