import { type ConversionStatus, hasEnded } from './downloads.ts';

/**
 * Follows one conversion by the server's events, from its present state to its end. An interrupted connection is taken
 * up again by the browser.
 * @param lost told when nothing more will be heard of it
 * @returns stops following
 */
export function watchConversion(
  statusHref: string,
  tell: (status: ConversionStatus) => void,
  lost: () => void,
): () => void {
  const events = new EventSource(statusHref);
  events.addEventListener('status', (event: MessageEvent<string>) => {
    const status = JSON.parse(event.data) as ConversionStatus;
    if (hasEnded(status)) events.close();
    tell(status);
  });
  events.addEventListener('error', () => {
    if (events.readyState === EventSource.CLOSED) lost();
  });
  return () => events.close();
}

/**
 * Asks the server to end a conversion.
 * @returns whether there was one to end
 * @throws TypeError when the server could not be reached
 */
export async function cancelConversion(statusHref: string): Promise<boolean> {
  const response = await fetch(statusHref, { method: 'DELETE' });
  const { result } = (await response.json()) as { result?: { cancelled: boolean } };
  return result?.cancelled === true;
}
