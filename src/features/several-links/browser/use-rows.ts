import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorAnswer, ResolveAnswer, ResolveResult } from '../../../web/api.ts';
import { type AskingPage, resolveLink } from '../../../web/browser/downloads/resolve-link.ts';
import { postsAtOnce } from '../../../web/pages/tool/answers/list-answers.ts';
import type { ListedLink } from '../../../web/pages/tool/answers/several-links.tsx';
import { useLocale, useTranslate } from '../../../web/translation.tsx';

/** One link of the list, and where it stands. */
export type Row = { readonly link: string } & (
  | { readonly state: 'waiting' | 'reading' }
  | { readonly state: 'ready'; readonly result: ResolveResult }
  | { readonly state: 'failed'; readonly failure: RowFailure }
);

interface RowFailure {
  /** Of `src/failures/failures.ts`, or `network` when no answer came. */
  readonly key: string;
  readonly message: string;
  /** Moment (ms since the epoch) from which another try makes sense; null for at once. */
  readonly retryAt: number | null;
}

function rowOf(link: string, answer: ResolveAnswer | ErrorAnswer | null): Row {
  if (answer === null) return { link, state: 'waiting' };
  if ('result' in answer) return { link, state: 'ready', result: answer.result };
  const { key, message, retry_after_s: seconds } = answer.error;
  const retryAt = seconds === undefined ? null : Date.now() + seconds * 1000;
  return { link, state: 'failed', failure: { key, message, retryAt } };
}

/**
 * The list's work without its looks: asks for what is not there yet, in the list's order and a few at a time.
 * @returns the rows, and asks for one again
 */
export function useRows(links: readonly ListedLink[], asking: AskingPage) {
  const t = useTranslate();
  const locale = useLocale();
  const [rows, setRows] = useState<readonly Row[]>(() =>
    links.map(({ link, answer }) => rowOf(link, answer)),
  );
  const wanted = useRef<number[]>([]);
  const running = useRef(0);
  const leaving = useRef<AbortController>(undefined);

  const put = useCallback(
    (at: number, row: Row) => setRows((before) => before.map((other, index) => (index === at ? row : other))),
    [],
  );

  const ask = useCallback(
    async (at: number, link: string, signal: AbortSignal) => {
      put(at, { link, state: 'reading' });
      try {
        const answer = await resolveLink(link, locale, signal, asking);
        put(at, rowOf(link, answer));
      } catch (thrown) {
        if (signal.aborted) return;
        put(at, {
          link,
          state: 'failed',
          failure: { key: 'network', message: t('failure.unreachable'), retryAt: null },
        });
        // A fetch that got no readable answer is the network's doing; anything else is ours and must be seen.
        if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown;
      }
    },
    [put, locale, asking, t],
  );

  const askMore = useCallback(
    (signal: AbortSignal) => {
      while (running.current < postsAtOnce) {
        const at = wanted.current.shift();
        const link = at === undefined ? undefined : links[at]?.link;
        if (at === undefined || link === undefined) return;
        running.current += 1;
        void ask(at, link, signal).finally(() => {
          if (signal.aborted) return;
          running.current -= 1;
          askMore(signal);
        });
      }
    },
    [ask, links],
  );

  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    running.current = 0;
    wanted.current = links.flatMap(({ answer }, at) => (answer === null ? [at] : []));
    askMore(controller.signal);
    return () => controller.abort();
  }, [links, askMore]);

  const retry = useCallback(
    (at: number) => {
      if (leaving.current === undefined || wanted.current.includes(at)) return;
      wanted.current.push(at);
      askMore(leaving.current.signal);
    },
    [askMore],
  );

  return { rows, retry };
}
