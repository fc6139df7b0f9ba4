import type { SentForm } from '../../forms/message-outcome.ts';

/** The API's response to a message. */
export type MessageResponse =
  | { readonly code: 200; readonly cscode: 200; readonly data: { readonly reference: string } }
  | { readonly code: number; readonly cscode: number; readonly error: { readonly key: string } };

/** Sends a form from the browser. @throws TypeError when the server is unreachable or its response unreadable */
export async function sendForm(
  { form, locale, given }: SentForm,
  signal: AbortSignal,
): Promise<MessageResponse> {
  const response = await fetch(`/api/${form}?locale=${locale}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(given),
    signal,
  });
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('cscode' in body))
    throw new TypeError(`unreadable response with status ${response.status}`);
  return body as MessageResponse;
}
