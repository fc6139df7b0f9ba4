/** Runs in the offline page. */

/** First delay between checks; later ones grow, to spare the battery. */
const firstLookMs = 250;
const lastLookMs = 10_000;

const form = document.forms[0];
const field = form?.elements.namedItem('url');

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Reloads the page when the site is reachable. */
async function look(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const response = await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (response !== null && response.status < 500) location.reload();
}

/**
 * Checks after `ms` milliseconds, and then at growing intervals. A device that reports a network may not reach the site
 * yet, and a useless reload would interrupt the visitor; when only the site was unreachable, no event signals its
 * return.
 */
function lookAfter(ms: number): void {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    await look();
    lookAfter(Math.min(2 * ms, lastLookMs));
  }, ms);
}

/** The entered text becomes the page's address: it survives the reload and is then looked up. */
function keepTyped(): void {
  if (form === undefined || !(field instanceof HTMLInputElement)) return;
  const text = field.value.trim();
  const query = text === '' ? '' : `?${new URLSearchParams({ url: text })}`;
  history.replaceState(null, '', new URL(form.action).pathname + query);
}

addEventListener('online', () => lookAfter(firstLookMs));
form?.addEventListener('input', keepTyped);
lookAfter(firstLookMs);

export {};
