import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { searchWith } from './answer.ts';

export interface ResultAddress {
  /** The present query. */
  readonly search: string;
  /** The query that belongs to what the page shows: another one than `search` came from a link or from the history. */
  readonly shown: RefObject<string>;
  /** Writes the link of the post that is shown into the address, null for none, without asking the server again. */
  write(link: string | null, step: 'replace' | 'push'): void;
}

/**
 * Keeps the result in the page's address, where reloading, the history, the switcher of languages and whoever shares
 * the page find it. It is the post's public address and nothing else: what the server gave for it never gets there.
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
