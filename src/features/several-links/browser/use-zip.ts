import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReadyResponse } from '../../../site/api.ts';
import type { Arrival } from '../../../site/browser/downloads/arrival.ts';
import { watchConversion } from '../../../site/browser/downloads/conversion.ts';
import { hasEnded } from '../../../site/browser/downloads/downloads.ts';
import { inLanguage } from '../../../site/browser/downloads/file-requests.ts';
import { handOverWatched } from '../../../site/browser/downloads/hand-over.ts';
import { readResponse } from '../../../site/browser/downloads/read-response.ts';
import { useLocale, useTranslate } from '../../../site/translation.tsx';

/** The state of a zip. */
export type ZipState =
  | { readonly kind: 'idle' | 'preparing' }
  /**
   * The browser downloads it. `converted`: number of its finished sounds, plus the present one's fraction; null when
   * none is being converted.
   */
  | { readonly kind: 'started'; readonly converted: number | null; readonly arrival: Arrival | null }
  | { readonly kind: 'failed'; readonly message: string; readonly retryAt: number | null };

/**
 * Follows conversions one after the other: the zip makes them in this order. One that fails is not in it.
 * @param over told when none is left
 * @returns a function that ends it
 */
function followAll(
  statusHrefs: readonly string[],
  onProgress: (converted: number) => void,
  over: () => void,
): () => void {
  let stop = () => {};
  const follow = (at: number, converted: number) => {
    const href = statusHrefs[at];
    onProgress(converted);
    if (href === undefined) return over();
    stop = watchConversion(
      href,
      (status) => {
        if (hasEnded(status)) follow(at + 1, converted + (status.state === 'done' ? 1 : 0));
        else onProgress(converted + status.progress);
      },
      // No more events will come for this one.
      () => follow(at + 1, converted),
    );
  };
  follow(0, 0);
  return () => stop();
}

/**
 * Starts a browser download of a zip as soon as the server has it ready.
 * @param href its address
 * @param statusHrefs of its converted files, in order
 */
export function useZip(href: string, statusHrefs: readonly string[]) {
  const t = useTranslate();
  const locale = useLocale();
  const [state, setState] = useState<ZipState>({ kind: 'idle' });
  const leave = useRef(() => {});
  useEffect(() => () => leave.current(), []);

  const start = useCallback(async () => {
    if (state.kind === 'preparing') return;
    leave.current();
    const controller = new AbortController();
    leave.current = () => controller.abort();
    setState({ kind: 'preparing' });
    const fail = (message: string, retryAt: number | null = null) =>
      setState({ kind: 'failed', message, retryAt });
    try {
      const ready = inLanguage(href.replace('/zip?', '/zip/ready?'), locale);
      const response = await readResponse<ReadyResponse>(await fetch(ready, { signal: controller.signal }));
      if ('error' in response) {
        const { message, retry_after_s: seconds } = response.error;
        fail(message, seconds === undefined ? null : Date.now() + seconds * 1000);
        return;
      }
      const change = (changed: { converted: number | null } | { arrival: Arrival }) =>
        setState((before) => (before.kind === 'started' ? { ...before, ...changed } : before));
      setState({ kind: 'started', converted: null, arrival: null });
      const { name } = response.result;
      const lookAgain = handOverWatched(inLanguage(href, locale), name, controller.signal, (arrival) =>
        change({ arrival }),
      );
      if (statusHrefs.length === 0) return;
      const over = () => {
        change({ converted: null });
        lookAgain();
      };
      const stop = followAll(statusHrefs, (converted) => change({ converted }), over);
      controller.signal.addEventListener('abort', stop);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      fail(t('failure.network'));
      if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown;
    }
  }, [state.kind, href, statusHrefs, locale, t]);

  return { state, start };
}
