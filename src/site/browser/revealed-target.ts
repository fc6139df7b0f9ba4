import { useEffect } from 'react';
import { useLocation } from 'react-router';

/**
 * Opens the disclosure that contains a link's target: browsers do so when they load a page, but not on a page change.
 */
export function useRevealedTarget(): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link clicked again opens it again
  useEffect(() => {
    if (hash === '') return;
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    const closed = target?.closest<HTMLDetailsElement>('details:not([open])');
    if (closed === null || closed === undefined) return;
    closed.open = true;
    target?.scrollIntoView();
  }, [hash, key]);
}
