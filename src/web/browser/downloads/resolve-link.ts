import type { Locale } from '../../../i18n/languages.ts';
import type { ErrorAnswer, ResolveAnswer } from '../../api.ts';

/** What the site configuration has a page send with a link. */
type ExtraParameters = Readonly<Record<string, string | number | boolean>>;

/** What a downloader page asks with. */
export interface AskingPage {
  /** Its address without language. */
  readonly page: string;
  readonly extra: ExtraParameters;
}

/**
 * Asks this site's API for a post.
 * @param text what the visitor typed; the server finds the link in it
 * @param asking the page for which others may resolve links; without it, this site's own answer
 * @throws TypeError when the server could not be reached or answered nothing readable; the signal's reason
 */
export async function resolveLink(
  text: string,
  locale: Locale,
  signal: AbortSignal,
  asking?: AskingPage,
): Promise<ResolveAnswer | ErrorAnswer> {
  const page = asking === undefined ? '' : `&page=${encodeURIComponent(`/${asking.page}`)}`;
  const response = await fetch(`/api/resolve?locale=${locale}${page}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...asking?.extra, url: text }),
    signal,
  });
  const answer: unknown = await response.json();
  if (!isAnswer(answer)) throw new TypeError(`unreadable answer with status ${response.status}`);
  return answer;
}

function isAnswer(answer: unknown): answer is ResolveAnswer | ErrorAnswer {
  return typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer);
}
