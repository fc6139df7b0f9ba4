import { useCallback, useEffect, useRef, useState } from 'react';
import type { ResolveResult } from '../../api.ts';
import { rememberLink } from '../../browser/recent-links.ts';
import { resolveLink } from '../../browser/resolve-link.ts';
import { useLocale, useTranslate } from '../../texts.tsx';
import type { ToolAnswer } from './answer.ts';

/** Where the tool stands. */
export type ToolState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'resolving' }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly retryAt: number | null;
      readonly text: string;
    }
  | { readonly kind: 'ready'; readonly result: ResolveResult };

/** What the page begins with: the answer that the server already put into it, or nothing. */
function initialState(given: ToolAnswer | null): ToolState {
  if (given === null) return { kind: 'idle' };
  if ('result' in given.answer) return { kind: 'ready', result: given.answer.result };
  return { kind: 'failed', message: given.answer.error.message, retryAt: null, text: given.text };
}

/** The tool's work without its looks: one link at a time, the newest wins. */
export function useTool(given: ToolAnswer | null) {
  const t = useTranslate();
  const locale = useLocale();
  const [state, setState] = useState<ToolState>(() => initialState(given));
  const running = useRef<AbortController>(undefined);

  useEffect(() => () => running.current?.abort(), []);

  const resolve = useCallback(
    async (text: string) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setState({ kind: 'resolving' });
      try {
        const { answer, retryAfterS } = await resolveLink(text, locale, controller.signal);
        if (controller.signal.aborted) return;
        if ('result' in answer) {
          setState({ kind: 'ready', result: answer.result });
          rememberLink({
            url: answer.result.post.url,
            title: answer.result.post.title || answer.result.post.author.name,
          });
        } else {
          const retryAt = retryAfterS === null ? null : Date.now() + retryAfterS * 1000;
          setState({ kind: 'failed', message: answer.error.message, retryAt, text });
        }
      } catch (thrown) {
        if (controller.signal.aborted) return;
        setState({ kind: 'failed', message: t('failure.network'), retryAt: null, text });
        // A fetch that got no readable answer is the network's doing; anything else is ours and must be seen.
        if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown;
      }
    },
    [locale, t],
  );

  const reset = useCallback(() => {
    running.current?.abort();
    setState({ kind: 'idle' });
  }, []);

  return { state, resolve, reset };
}
