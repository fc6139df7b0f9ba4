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
