import { type AddressConfiguration, parseAddress } from '../../site/addressing/addresses.ts';

/**
 * Line terminators of regular expressions (ECMA-262, 12.3), as a path can contain them. The router's patterns end there
 * too.
 */
const lineEnd = /%0[ad]|%e2%80%a[89]/i;

/** Scheme and host of a target in absolute form. */
const beforePath = /^https?:\/\/([^/?#]*)/i;

/**
 * The host of a target in absolute form, which overrides the `Host` header (RFC 9112, 3.2.2); undefined for all other
 * targets.
 */
export const namedHost = (target: string): string | undefined => beforePath.exec(target)?.[1];

/**
 * A target as path and query, with a path that can be decoded and read in one line. Percent signs that encode no
 * characters, or a line terminator, are escaped: such an address is then unknown, instead of an error of the framework
 * or the router. U+0000 in the query becomes U+FFFD, since PostgreSQL takes no text with it.
 */
export function readableUrl(target: string): string {
  const behind = target.replace(beforePath, '');
  const url = behind === target || behind.startsWith('/') ? behind : `/${behind}`;
  if (!url.includes('%')) return url;
  const path = url.split('?', 1)[0] ?? '';
  const query = url.slice(path.length).replaceAll('%00', '%EF%BF%BD');
  return (isReadable(path) ? path : path.replaceAll('%', '%25')) + query;
}

function isReadable(path: string): boolean {
  if (lineEnd.test(path)) return false;
  try {
    decodeURI(path);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof URIError)) throw thrown;
    return false;
  }
}

/** Whether an address without language could be an article's: a quick look, looser than `slugPattern`. */
export const mayBeSlug = (page: string): boolean => /^[a-z0-9-]{1,100}$/.test(page);

/** The requested resource: a document, data for the browser's router, or a list of the router's modules. */
export type PageRequestKind = 'document' | 'data' | 'manifest';

/** The path of the page whose document or data (React Router's single fetch) is requested at a path. */
export function pagePath(path: string): string {
  if (path.endsWith('/_.data')) return path.slice(0, -'_.data'.length);
  return path.endsWith('.data') ? path.slice(0, -'.data'.length) : path;
}

/** The facts about a page request that its URL alone states. */
export function readPageUrl(url: string, configuration: AddressConfiguration) {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const isData = path.endsWith('.data');
  const kind: PageRequestKind = isData ? 'data' : path === '/__manifest' ? 'manifest' : 'document';
  return {
    kind,
    path,
    search: at < 0 ? '' : url.slice(at),
    address: parseAddress(pagePath(path), configuration),
  };
}
