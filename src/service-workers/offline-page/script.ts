/** Runs in the page that stands in for others while there is no network. */

/** Often enough to be quick, seldom enough for a battery. */
const lookAgainMs = 10_000;

const form = document.forms[0];
const field = form?.elements.namedItem('url');

const loadAgain = () => location.reload();

/** Where the device has a network and the site is out of reach all the same, nothing tells of its return. */
async function look(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const answer = await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer !== null && answer.status < 500) loadAgain();
}

/** What is typed becomes the page's address: it is still there after loading again, and is then looked for. */
function keepTyped(): void {
  if (form === undefined || !(field instanceof HTMLInputElement)) return;
  const text = field.value.trim();
  const query = text === '' ? '' : `?${new URLSearchParams({ url: text })}`;
  history.replaceState(null, '', new URL(form.action).pathname + query);
}

addEventListener('online', loadAgain);
form?.addEventListener('input', keepTyped);
setInterval(look, lookAgainMs);

export {};
