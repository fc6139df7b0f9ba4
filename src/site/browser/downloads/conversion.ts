import { type ConversionStatus, hasEnded } from './downloads.ts';

/**
 * Follows one conversion by the server's events, from its present state to its end. The browser reconnects by itself.
 * @param lost called when no more events will come
 * @returns a function that stops following
 */
export function watchConversion(
  statusHref: string,
  onStatus: (status: ConversionStatus) => void,
  lost: () => void,
): () => void {
  const events = new EventSource(statusHref);
  events.addEventListener('status', (event: MessageEvent<string>) => {
    const status = JSON.parse(event.data) as ConversionStatus;
    if (hasEnded(status)) events.close();
    onStatus(status);
  });
  events.addEventListener('error', () => {
    if (events.readyState === EventSource.CLOSED) lost();
  });
  return () => events.close();
}

/**
 * Follows conversions one after the other as one: a zip makes its files in this order, and goes without one that fails.
 * @returns a function that stops following
 */
export function watchConversions(
  statusHrefs: readonly string[],
  onStatus: (status: ConversionStatus) => void,
): () => void {
  let stop = () => {};
  const tell = (ended: number) =>
    onStatus({
      ...{ ahead: null, bytes: null, error: null, progress: ended / statusHrefs.length },
      state: ended === statusHrefs.length ? 'done' : 'converting',
    });
  const follow = (at: number) => {
    const href = statusHrefs[at];
    tell(at);
    if (href === undefined) return;
    const next = () => follow(at + 1);
    stop = watchConversion(
      href,
      (status) => (hasEnded(status) ? next() : tell(at + Math.min(0.99, status.progress))),
      // No more events will come for this one.
      next,
    );
  };
  follow(0);
  return () => stop();
}

/**
 * Asks the server to end a conversion.
 * @returns whether there was one to end
 * @throws TypeError when the server is unreachable
 */
export async function cancelConversion(statusHref: string): Promise<boolean> {
  const response = await fetch(statusHref, { method: 'DELETE' });
  const { result } = (await response.json()) as { result?: { cancelled: boolean } };
  return result?.cancelled === true;
}
