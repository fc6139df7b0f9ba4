import { useState, useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and while the page is taken over, true afterwards: for what only exists with scripts. */
export function useMounted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/**
 * True, for as long as it is there, for what came in the server's document. What the browser makes itself may hold no
 * script element: Trusted Types forbid them, and nothing would run them.
 */
export function useIsFromServer(): boolean {
  const [isFromServer] = useState(!useMounted());
  return isFromServer;
}
