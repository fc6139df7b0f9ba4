import { createContext, useContext } from 'react';

const RequestId = createContext<string | null>(null);

/** Set around the document on the server only. */
export const RequestIdProvider = RequestId.Provider;

/**
 * The id of this page's request in the server's log, for error screens. The browser reads it from the server's
 * document, so that no ordinary page carries an id (pages are cached).
 */
export function useRequestId(): string | null {
  const onServer = useContext(RequestId);
  if (typeof document === 'undefined') return onServer;
  return document.querySelector('[data-request-id]')?.textContent ?? null;
}

/** An unparseable request appears as a missing page to a visitor who followed a link. */
export function pageStatus(status: number): number {
  return status === 400 ? 404 : status;
}
