/**
 * Calls back some time after now, and after the page's content has changed; once for all changes meanwhile.
 * @param signal ends it
 */
export function whenChanged(delayMs: number, callback: () => void, signal: AbortSignal): void {
  let isWaiting = false;
  const run = () => {
    isWaiting = false;
    if (!signal.aborted) callback();
  };
  const wait = () => {
    if (!isWaiting) setTimeout(run, delayMs);
    isWaiting = true;
  };
  const changes = new MutationObserver(wait);
  changes.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => changes.disconnect());
  wait();
}
