import { useState, useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and during hydration, true afterwards: for content that needs scripts. */
export function useMounted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/**
 * Whether an element of the server's document is still present and unchanged: for script elements, which the browser
 * may keep or remove but never create, as Trusted Types forbid it.
 * @param content its content; once that has changed the element is gone for good, even if the content changes back
 */
export function useIsFromServer(content = ''): boolean {
  const isMounted = useMounted();
  const [standing, setStanding] = useState(isMounted ? null : content);
  const isStanding = standing === content;
  if (standing !== null && !isStanding) setStanding(null);
  return isStanding;
}
