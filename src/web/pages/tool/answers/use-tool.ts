import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorResponse, ResolveResult } from '../../../api.ts';
import { rememberLink } from '../../../browser/device/recent-links.ts';
import { type RequestingPage, resolveLink } from '../../../browser/downloads/resolve-link.ts';
import { mentionsSeveral } from '../../../browser/typed-links.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { laterOutcome } from '../result/later-outcome.ts';
import { searchWith, type ToolResponse } from './answer.ts';
import { isListed, type ListedLink, laterList, linksIn } from './several-links.tsx';
import { useResultAddress } from './use-result-address.ts';

/** Why there is no result. */
export interface ToolFailure {
  /** A key of `src/failures/failures.ts`, or `network` without a response. */
  readonly key: string;
  readonly message: string;
  /** The remedy, shown before the message. */
  readonly hint: string | null;
  /** Moment (ms since the epoch) from which another try makes sense. */
  readonly retryAt: number | null;
  /** The post's address, where the text named one. */
  readonly link: string | null;
  /** The next post's link in the text. */
  readonly otherLink: string | null;
}

interface Origin {
  /** True for a state that came with the page or the history, without an action in the tool. */
  readonly given: boolean;
  /** The submitted text. */
  readonly text: string;
}

/** The tool's state. */
export type ToolState = Origin &
  (
    | { readonly kind: 'idle' }
    | { readonly kind: 'resolving' }
    | { readonly kind: 'failed'; readonly failure: ToolFailure }
    | { readonly kind: 'ready'; readonly result: ResolveResult }
    | { readonly kind: 'list'; readonly links: readonly ListedLink[] }
  );

function failureOf({ error }: ErrorResponse, missing: string | null): ToolFailure {
  const { key, hint = null, link = null, other_link: otherLink = null, retry_after_s: seconds } = error;
  const message = key === 'link_missing' && missing !== null ? missing : error.message;
  const retryAt = seconds === undefined ? null : Date.now() + seconds * 1000;
  return { key, message, hint, retryAt, link, otherLink };
}

/**
 * The tool's logic without its appearance: one link at a time, the newest wins.
 * @param given the server's answer for the page's address
 * @param missing this page's message for a text without a link; null for the server's
 * @param asking the page's data in resolve requests
 */
export function useTool(given: ToolResponse | null, missing: string | null, asking: RequestingPage) {
  const t = useTranslate();
  const locale = useLocale();
  const { search, shown, write } = useResultAddress();
  const [state, setState] = useState<ToolState>(() => givenState(given, missing));
  const running = useRef<{ readonly text: string; readonly controller: AbortController }>(undefined);

  const stop = useCallback(() => {
    running.current?.controller.abort();
    running.current = undefined;
  }, []);
  useEffect(() => stop, [stop]);

  // The address has changed without us: what the server gave for the new one takes the place of what is shown.
  useEffect(() => {
    if (search === shown.current) return;
    shown.current = search;
    stop();
    // The code that shows a result may not be there yet: until it is, the page stays as it was.
    startTransition(() => setState(givenState(given, missing)));
  }, [search, shown, stop, given, missing]);

  useEffect(() => {
    if (state.kind !== 'ready') return;
    const { post } = state.result;
    rememberLink({ url: post.url, title: post.title || post.author.name });
    write(post.url, 'replace');
  }, [state, write]);

  /** A result that is left stays one step back in the history. */
  const leave = useCallback(() => write(null, state.kind === 'ready' ? 'push' : 'replace'), [state, write]);

  const resolve = useCallback(
    async (text: string) => {
      // Pressed twice, or Enter after a paste that has already begun.
      if (running.current?.text === text) return;
      stop();
      leave();
      const controller = new AbortController();
      running.current = { text, controller };
      const settle = (next: ToolState) => {
        if (controller.signal.aborted) return;
        running.current = undefined;
        setState(next);
      };
      setState({ kind: 'resolving', given: false, text });
      try {
        laterOutcome.preload();
        const links = isListed() && mentionsSeveral(text) ? await fetchList(text) : [];
        if (links.length > 1) {
          if (!controller.signal.aborted) write(links.map(({ link }) => link).join(' '), 'replace');
          return settle({ kind: 'list', given: false, text, links });
        }
        const answer = await resolveLink(text, locale, controller.signal, asking);
        if ('result' in answer) {
          const { pathname, search: before } = location;
          await laterOutcome.fetch(pathname + searchWith(before, answer.result.post.url));
          settle({ kind: 'ready', given: false, text, result: answer.result });
        } else settle({ kind: 'failed', given: false, text, failure: failureOf(answer, missing) });
      } catch (thrown) {
        const hint = t(navigator.onLine ? 'failure.unreachable' : 'failure.offline');
        const failure = { key: 'network', message: t('failure.network'), hint, ...nothingKnown };
        settle({ kind: 'failed', given: false, text, failure });
        if (!controller.signal.aborted && text.length <= longestInAddress) write(text, 'replace');
        // A fetch without a readable response is a network failure; any other error is ours and must surface.
        const isExpected = thrown instanceof TypeError || thrown instanceof SyntaxError;
        if (!controller.signal.aborted && !isExpected) throw thrown;
      }
    },
    [locale, t, missing, asking, stop, leave, write],
  );

  // A request that failed offline is repeated once there is a network.
  useEffect(() => {
    if (state.kind !== 'failed' || state.failure.key !== 'network') return;
    const again = () => void resolve(state.text);
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [state, resolve]);

  /** Aborts the running request; the text stays. */
  const cancel = useCallback(() => {
    stop();
    setState(({ text }) => ({ kind: 'idle', given: false, text }));
  }, [stop]);

  /** Resets the page to its initial state. */
  const reset = useCallback(() => {
    stop();
    leave();
    setState({ kind: 'idle', given: false, text: '' });
  }, [stop, leave]);

  return { state, resolve, cancel, reset };
}

/** The text is stored where it survives a reload; the server would refuse an address with a longer one. */
const longestInAddress = 500;

/** The posts of a text, by the code that lists them. */
async function fetchList(text: string): Promise<ListedLink[]> {
  await laterList.fetch(location.pathname + searchWith(location.search, text));
  return linksIn(text).map((link) => ({ link, answer: null }));
}

const nothingKnown = { retryAt: null, link: null, otherLink: null };

/** The initial state: the answer that the server put into the page, or none. */
function givenState(given: ToolResponse | null, missing: string | null): ToolState {
  if (given === null) return { kind: 'idle', given: true, text: '' };
  const { text, answer, list } = given;
  if (list !== undefined) return { kind: 'list', given: true, text, links: list };
  if (answer === null) return { kind: 'idle', given: true, text };
  return 'result' in answer
    ? { kind: 'ready', given: true, text, result: answer.result }
    : { kind: 'failed', given: true, text, failure: failureOf(answer, missing) };
}
