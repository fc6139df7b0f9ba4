import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and while the page is taken over, true afterwards: for what only exists with scripts. */
export function useMounted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
