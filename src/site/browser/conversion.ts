import { useCallback, useEffect, useState } from 'react';
import type { ConversionAnswer } from '../api.ts';

export type ConversionStatus = ConversionAnswer['result'];

/** A conversion as the page follows it; null while none was started. `lost`: its progress can no longer be read. */
export type WatchedConversion = { readonly status: ConversionStatus | null; readonly lost: boolean } | null;

const ended: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled']);

/** True when a conversion will not change any more. */
export function hasEnded(watched: WatchedConversion): boolean {
  return watched !== null && (watched.lost || (watched.status !== null && ended.has(watched.status.state)));
}

/**
 * Follows one conversion by the server's events. The file itself arrives through the browser's own download; this
 * only watches and cancels.
 */
export function useConversion(statusHref: string | undefined) {
  const [watched, setWatched] = useState<WatchedConversion>(null);
  const [watching, setWatching] = useState(0);

  useEffect(() => {
    if (watching === 0 || statusHref === undefined) return;
    const events = new EventSource(statusHref);
    let connections = 0;
    let current = false;
    events.addEventListener('open', () => {
      connections++;
    });
    events.addEventListener('status', (event: MessageEvent<string>) => {
      const status = JSON.parse(event.data) as ConversionStatus;
      // The events may be there before the download: then a first "failed" or "cancelled" is the end of an earlier
      // try. It is believed when the browser has connected again, or after anything else was heard.
      current ||= connections > 1 || !(status.state === 'failed' || status.state === 'cancelled');
      if (!current) return;
      setWatched({ status, lost: false });
      if (ended.has(status.state)) events.close();
    });
    events.addEventListener('error', () => {
      // An interrupted connection is taken up again by the browser; a refused one is not.
      if (events.readyState === EventSource.CLOSED)
        setWatched((before) => ({ status: before?.status ?? null, lost: true }));
    });
    return () => events.close();
  }, [statusHref, watching]);

  const start = useCallback(() => {
    setWatched({ status: null, lost: false });
    setWatching((before) => before + 1);
  }, []);

  const cancel = useCallback(async () => {
    if (statusHref === undefined) return;
    try {
      await fetch(statusHref, { method: 'DELETE' });
    } catch (thrown) {
      if (!(thrown instanceof TypeError)) throw thrown;
      setWatched((before) => ({ status: before?.status ?? null, lost: true }));
    }
  }, [statusHref]);

  return { watched, start, cancel };
}
