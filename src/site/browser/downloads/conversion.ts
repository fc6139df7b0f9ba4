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
 * Asks the server to end a conversion.
 * @returns whether there was one to end
 * @throws TypeError when the server is unreachable
 */
export async function cancelConversion(statusHref: string): Promise<boolean> {
  const response = await fetch(statusHref, { method: 'DELETE' });
  const { result } = (await response.json()) as { result?: { cancelled: boolean } };
  return result?.cancelled === true;
}
