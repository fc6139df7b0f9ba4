import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import { rememberLink } from '../../../browser/device/recent-links.ts';
import { type RequestingPage, resolveLink } from '../../../browser/downloads/resolve-link.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { lacksHd } from '../files/choose-options.ts';
import { lookUp } from './look-up.ts';
import { searchWith, type ToolResponse } from './tool-response.ts';
import { givenState, type ToolState } from './tool-state.ts';
import { useManyPosts } from './use-many-posts.ts';

/** The history state of an address that the tool wrote. */
const written = { isWritten: true };

/**
 * Keeps the result in the page's address for reloading, the history, the language switcher and sharing. Only the post's
 * public address is written, nothing of the server's response.
 * @param onLeft called when a link or the history has led to another address
 * @returns writes the shown post's link into the address, null for none, without a request to the server
 */
function useResultAddress(onLeft: () => void): (link: string | null, step: 'replace' | 'push') => void {
  const location = useLocation();
  const navigate = useNavigate();
  const navigationType = useNavigationType();
  /** The query that belongs to what the page shows. */
  const shown = useRef(location.search);
  const present = useRef({ location, navigate });
  useEffect(() => {
    present.current = { location, navigate };
  });

  const follow = useEffectEvent(({ search, state }: typeof location) => {
    // On a busy device, a visitor can be two writes ahead of the router. The history brings a written address back as
    // any other.
    const isOwn = navigationType !== 'POP' && (state as typeof written | null)?.isWritten === true;
    if (isOwn || search === shown.current) return;
    shown.current = search;
    onLeft();
  });
  useEffect(() => follow(location), [location]);

  return useCallback((link, step) => {
    const { pathname } = present.current.location;
    const wanted = searchWith(shown.current, link);
    if (wanted === shown.current) return;
    shown.current = wanted;
    void present.current.navigate(
      { pathname, search: wanted },
      {
        state: written,
        replace: step === 'replace',
        preventScrollReset: true,
        defaultShouldRevalidate: false,
      },
    );
  }, []);
}

/** The tool's state and its operations. */
export type Tool = ReturnType<typeof useTool>;

/**
 * The tool's logic without its appearance: one link at a time, the newest wins.
 * @param given the server's response for the page's address
 * @param missing this page's message for a text without a link; null for the server's
 * @param asking the page's data in resolve requests
 */
export function useTool(given: ToolResponse | null, missing: string | null, asking: RequestingPage) {
  const t = useTranslate();
  const locale = useLocale();
  const openManyPosts = useManyPosts();
  const [state, setState] = useState<ToolState>(() => givenState(given, missing));
  const running = useRef<{ readonly text: string; readonly controller: AbortController }>(undefined);

  const stop = useCallback(() => {
    running.current?.controller.abort();
    running.current = undefined;
  }, []);
  useEffect(() => stop, [stop]);

  const showGiven = () => {
    stop();
    // The code that shows a result may not be there yet: until it is, the page stays as it was.
    startTransition(() => setState(givenState(given, missing)));
  };
  const write = useResultAddress(showGiven);

  useEffect(() => {
    // The next link has been submitted before this effect ran.
    if (state.kind !== 'ready' || running.current !== undefined) return;
    const { post } = state.result;
    rememberLink({ url: post.url, title: post.title || post.author.name });
    write(post.url, 'replace');
  }, [state, write]);

  /** A result that is left stays one step back in the history. */
  const leave = () => write(null, state.kind === 'ready' ? 'push' : 'replace');

  /** Looks up a text, and abandons a running look-up. */
  async function resolve(text: string): Promise<void> {
    // Pressed twice, or Enter after a paste that has already begun.
    if (running.current?.text === text) return;
    stop();
    leave();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = { text, controller };
    setState({ kind: 'resolving', given: false, text });
    const show = (next: ToolState) => {
      if (signal.aborted) return;
      running.current = undefined;
      const link = addressedLink(next);
      if (link !== null) write(link, 'replace');
      setState(next);
    };
    try {
      show(await lookUp(text, { locale, missing, asking, openManyPosts, signal }));
    } catch (thrown) {
      if (signal.aborted) return;
      show(unreachable(text, t));
      // A fetch without a readable response is a network failure; any other error is ours and must surface.
      if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown;
    }
  }

  /** Reads the shown thin post again, and shows what is new. @returns whether there is more of it now */
  async function lookAgain(): Promise<boolean> {
    if (state.kind !== 'ready' || running.current !== undefined) return false;
    const { text, result } = state;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = { text, controller };
    try {
      const response = await resolveLink(result.post.url, locale, signal, asking, true);
      if (!('result' in response) || lacksHd(response.result)) return false;
      setState({ kind: 'ready', given: false, text, result: response.result });
      return true;
    } catch (thrown) {
      if (signal.aborted || thrown instanceof TypeError || thrown instanceof SyntaxError) return false;
      throw thrown;
    } finally {
      if (!signal.aborted) running.current = undefined;
    }
  }

  useRepeatWhenOnline(state, resolve);
  useLanguageChange(() => {
    if (given !== null) return showGiven();
    stop();
    if (state.kind === 'resolving' || state.kind === 'failed') void resolve(state.text);
  });

  return {
    state,
    resolve,
    lookAgain,
    /** Aborts the running request; the text stays. */
    cancel() {
      stop();
      setState(({ text }) => ({ kind: 'idle', given: false, text }));
    },
    /** Resets the page to its initial state. */
    reset() {
      stop();
      leave();
      setState({ kind: 'idle', given: false, text: '' });
    },
  };
}

/** Repeats a request that failed offline once there is a network. */
function useRepeatWhenOnline(state: ToolState, resolve: Tool['resolve']): void {
  const again = useEffectEvent(() => void resolve(state.text));
  const isUnreachable = state.kind === 'failed' && state.failure.key === 'network';
  useEffect(() => {
    if (!isUnreachable) return;
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isUnreachable]);
}

/** Calls back after a change of language, which keeps the tool: what is typed, under way or shown goes on in the new one. */
function useLanguageChange(callback: () => void): void {
  const locale = useLocale();
  const shown = useRef(locale);
  const change = useEffectEvent(callback);
  useEffect(() => {
    if (shown.current !== locale) change();
    shown.current = locale;
  }, [locale]);
}

/** The text is stored where it survives a reload; the server would refuse an address with a longer one. */
const longestInAddress = 500;

/** The link in the address for a state, so that a reload finds it; null for none, and where another effect writes it. */
function addressedLink(state: ToolState): string | null {
  if (state.kind === 'list') return state.source?.url ?? state.links.map(({ link }) => link).join(' ');
  const isUnreachable = state.kind === 'failed' && state.failure.key === 'network';
  return isUnreachable && state.text.length <= longestInAddress ? state.text : null;
}

function unreachable(text: string, t: ReturnType<typeof useTranslate>): ToolState {
  const hint = t(navigator.onLine ? 'failure.unreachable' : 'failure.offline');
  const message = t('failure.network');
  const failure = { key: 'network', message, hint, retryAt: null, link: null, otherLink: null };
  return { kind: 'failed', given: false, text, failure };
}
