/** Runs in the page that stands in for others while there is no network. */

/** Soon at first, then seldom enough for a battery. */
const firstLookMs = 250;
const lastLookMs = 10_000;

const form = document.forms[0];
const field = form?.elements.namedItem('url');

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Loads the page again when the site is there. */
async function look(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const answer = await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer !== null && answer.status < 500) location.reload();
}

/**
 * Looks after so many milliseconds, and then at longer and longer intervals. A device that says it has a network may not
 * reach the site yet, and loading the page again for nothing would break off what the visitor is on the way to; where
 * the site alone was out of reach, nothing tells of its return.
 */
function lookAfter(ms: number): void {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    await look();
    lookAfter(Math.min(2 * ms, lastLookMs));
  }, ms);
}

/** What is typed becomes the page's address: it is still there after loading again, and is then looked for. */
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
