import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { searchWith } from './tool-response.ts';

export interface ResultAddress {
  /** The present query. */
  readonly search: string;
  /** The query that belongs to what the page shows: another one than `search` came from a link or from the history. */
  readonly shown: RefObject<string>;
  /** Writes the shown post's link into the address, null for none, without a request to the server. */
  write(link: string | null, step: 'replace' | 'push'): void;
}

/**
 * Keeps the result in the page's address for reloading, the history, the language switcher and sharing. Only the post's
 * public address is written, nothing of the server's response.
 */
export function useResultAddress(): ResultAddress {
  const location = useLocation();
  const navigate = useNavigate();
  const { search } = location;
  const shown = useRef(search);
  const present = useRef({ location, navigate });
  useEffect(() => {
    present.current = { location, navigate };
  });

  const write = useCallback((link: string | null, step: 'replace' | 'push') => {
    const { pathname } = present.current.location;
    const wanted = searchWith(shown.current, link);
    if (wanted === shown.current) return;
    shown.current = wanted;
    void present.current.navigate(
      { pathname, search: wanted },
      { replace: step === 'replace', preventScrollReset: true, defaultShouldRevalidate: false },
    );
  }, []);

  return { search, shown, write };
}
