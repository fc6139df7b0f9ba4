import { statisticsItems } from '../stored/statistics-items.ts';
import { cookieValue, storeCookie } from '../stored-cookies.ts';

function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch (thrown) {
    // A store that is forbidden holds nothing.
    if (!(thrown instanceof DOMException)) throw thrown;
  }
}

/** Deletes what waits for consent to statistics. */
export function deleteStatistics(): void {
  for (const [name, { where }] of Object.entries(statisticsItems))
    if (where === 'localStorage') forget(name);
    else if (cookieValue(name) !== null) storeCookie(name, '', 0);
}
