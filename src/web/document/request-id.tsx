import { createContext, useContext } from 'react';

const RequestId = createContext<string | null>(null);

/** Set around the document on the server only. */
export const RequestIdProvider = RequestId.Provider;

/**
 * The id under which the server's log knows this page's request, for error screens. The browser reads it from the
 * document that the server sent, so that no ordinary page carries an id of its own (pages are cached).
 */
export function useRequestId(): string | null {
  const onServer = useContext(RequestId);
  if (typeof document === 'undefined') return onServer;
  return document.querySelector('[data-request-id]')?.textContent ?? null;
}
