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
 * Whether something came in the server's document and still stands there as it came: for script elements, which a
 * browser may only keep or drop. Trusted Types forbid making one, and nothing would run it.
 * @param content what it says; once that has become something else it is gone for good, also when it would say the same again
 */
export function useIsFromServer(content = ''): boolean {
  const isMounted = useMounted();
  const [standing, setStanding] = useState(isMounted ? null : content);
  const isStanding = standing === content;
  if (standing !== null && !isStanding) setStanding(null);
  return isStanding;
}
