import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorResponse, ResolveResponse, ResolveResult } from '../../../site/api.ts';
import { type RequestingPage, resolveLink } from '../../../site/browser/downloads/resolve-link.ts';
import { postsAtOnce } from '../../../site/pages/tool/state/resolve-all.ts';
import type { ListedLink } from '../../../site/pages/tool/state/several-links.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';

/** One link of the list, and its state. */
export type Row = { readonly link: string } & (
  | { readonly state: 'waiting' | 'reading' }
  | { readonly state: 'ready'; readonly result: ResolveResult }
  | { readonly state: 'failed'; readonly failure: RowFailure }
);

interface RowFailure {
  /** A key of `src/failures/failures.ts`, or `network` without a response. */
  readonly key: string;
  readonly message: string;
  /** Moment (ms since the epoch) from which another try makes sense; null for at once. */
  readonly retryAt: number | null;
}

function rowOf(link: string, response: ResolveResponse | ErrorResponse | null): Row {
  if (response === null) return { link, state: 'waiting' };
  if ('result' in response) return { link, state: 'ready', result: response.result };
  const { key, message, retry_after_s: seconds } = response.error;
  const retryAt = seconds === undefined ? null : Date.now() + seconds * 1000;
  return { link, state: 'failed', failure: { key, message, retryAt } };
}

/** Two links may lead to one post, which only shows when both are resolved. */
function onePerPost(rows: readonly Row[]): readonly Row[] {
  const ids = new Set<string>();
  return rows.filter((row) => {
    if (row.state !== 'ready') return true;
    const { id } = row.result.post;
    return !ids.has(id) && ids.add(id);
  });
}

/**
 * The list's logic without its appearance: requests missing results, in the list's order and a few at a time.
 * @returns one row for each post, and functions that retry a link and take one off the list
 */
export function useRows(links: readonly ListedLink[], asking: RequestingPage) {
  const t = useTranslate();
  const locale = useLocale();
  const [rows, setRows] = useState<readonly Row[]>(() =>
    links.map(({ link, response }) => rowOf(link, response)),
  );
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
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
        const response = await resolveLink(link, locale, signal, asking);
        put(at, rowOf(link, response));
      } catch (thrown) {
        if (signal.aborted) return;
        put(at, {
          link,
          state: 'failed',
          failure: { key: 'network', message: t('failure.unreachable'), retryAt: null },
        });
        // A fetch without a readable response is a network failure; any other error is ours and must surface.
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
    wanted.current = links.flatMap(({ response }, at) => (response === null ? [at] : []));
    askMore(controller.signal);
    return () => controller.abort();
  }, [links, askMore]);

  const retry = useCallback(
    (link: string) => {
      const at = links.findIndex((one) => one.link === link);
      if (leaving.current === undefined || wanted.current.includes(at)) return;
      wanted.current.push(at);
      askMore(leaving.current.signal);
    },
    [askMore, links],
  );

  const remove = useCallback((link: string) => setRemoved((before) => new Set(before).add(link)), []);

  return { rows: onePerPost(rows).filter(({ link }) => !removed.has(link)), retry, remove };
}
