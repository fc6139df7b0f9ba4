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
 * Has the server delete what it holds under this browser's number, which is deleted here by then: asks until it is
 * done, less and less often, for as long as the page is open.
 * @param base where reports go
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
      (answer) => answer.status,
      () => 0,
    );
    // Busy, broken, or not there; any other answer is its last word.
    if (status !== 0 && status !== 429 && status < 500) return;
    await pause(waitMs);
  }
}
