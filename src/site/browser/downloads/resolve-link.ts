import type { Locale } from '../../../i18n/languages.ts';
import type { ErrorResponse, ListResponse, ResolveResponse } from '../../api.ts';

/** The parameters that the site configuration has a page send with a link. */
type ExtraParameters = Readonly<Record<string, string | number | boolean>>;

/** The page's data in a resolve request. */
export interface RequestingPage {
  /** Its address without language. */
  readonly page: string;
  readonly extra: ExtraParameters;
}

/**
 * Requests a post from this site's API.
 * @param text the visitor's input; the server finds the link in it
 * @param asking the page whose links other servers may resolve; without it, this site resolves
 * @param again reads a thin post again
 * @throws TypeError when the server is unreachable or its response unreadable; the signal's reason
 */
export async function resolveLink(
  text: string,
  locale: Locale,
  signal: AbortSignal,
  asking?: RequestingPage,
  again = false,
): Promise<ResolveResponse | ErrorResponse> {
  const page = asking === undefined ? '' : `&page=${encodeURIComponent(`/${asking.page}`)}`;
  const body = { ...asking?.extra, url: text, ...(again && { again }) };
  return readResponse<ResolveResponse>(await post(`/api/resolve?locale=${locale}${page}`, body, signal));
}

/** Requests the posts of a sound, a creator or a hashtag, by its address; throws as {@link resolveLink}. */
export async function resolveList(
  url: string,
  locale: Locale,
  signal: AbortSignal,
): Promise<ListResponse | ErrorResponse> {
  return readResponse<ListResponse>(await post(`/api/list?locale=${locale}`, { url }, signal));
}

const post = (address: string, body: object, signal: AbortSignal) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal,
  });

/**
 * Reads a JSON response of this site's API.
 * @throws TypeError when it is neither a result nor an error, SyntaxError when it is not JSON
 */
export async function readResponse<R extends { readonly result: unknown }>(
  response: Response,
): Promise<R | ErrorResponse> {
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('result' in body || 'error' in body))
    throw new TypeError(`unreadable response with status ${response.status}`);
  return body as R | ErrorResponse;
}
