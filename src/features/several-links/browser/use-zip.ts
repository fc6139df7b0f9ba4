import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorAnswer, ReadyAnswer } from '../../../web/api.ts';
import { watchConversion } from '../../../web/browser/downloads/conversion.ts';
import { hasEnded } from '../../../web/browser/downloads/downloads.ts';
import { inLanguage } from '../../../web/browser/downloads/file-requests.ts';
import { handOver } from '../../../web/browser/downloads/start-download.ts';
import { useLocale, useTranslate } from '../../../web/translation.tsx';

/** Where a zip stands. */
export type ZipState =
  | { readonly kind: 'idle' | 'preparing' }
  /** The browser has it. `converted`: so many of its sounds, and of the next one a part; null where none is converted. */
  | { readonly kind: 'started'; readonly converted: number | null }
  | { readonly kind: 'failed'; readonly message: string; readonly retryAt: number | null };

function isAnswer(answer: unknown): answer is ReadyAnswer | ErrorAnswer {
  return typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer);
}

/**
 * Follows conversions one after the other: the zip has them made in this order.
 * @returns ends it
 */
function followAll(statusHrefs: readonly string[], tell: (converted: number) => void): () => void {
  let stop = () => {};
  const follow = (at: number) => {
    const href = statusHrefs[at];
    tell(at);
    if (href === undefined) return;
    const next = () => follow(at + 1);
    stop = watchConversion(
      href,
      (status) => (hasEnded(status) ? next() : tell(at + status.progress)),
      // Nothing more will be heard of this one.
      next,
    );
  };
  follow(0);
  return () => stop();
}

/**
 * Has the browser download a zip as soon as the server says that it can be had.
 * @param href its address
 * @param statusHrefs of the files in it that are converted, in its order
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
      const response = await fetch(ready, { signal: controller.signal });
      const answer: unknown = await response.json();
      if (!isAnswer(answer)) throw new TypeError(`unreadable answer with status ${response.status}`);
      if ('error' in answer) {
        const { message, retry_after_s: seconds } = answer.error;
        fail(message, seconds === undefined ? null : Date.now() + seconds * 1000);
        return;
      }
      handOver(inLanguage(href, locale), answer.result.name);
      setState({ kind: 'started', converted: null });
      if (statusHrefs.length === 0) return;
      const stop = followAll(statusHrefs, (converted) => setState({ kind: 'started', converted }));
      leave.current = stop;
    } catch (thrown) {
      if (controller.signal.aborted) return;
      fail(t('failure.network'));
      if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown;
    }
  }, [state.kind, href, statusHrefs, locale, t]);

  return { state, start };
}
