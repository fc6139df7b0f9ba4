/** What ends a line to a pattern (ECMA-262, 12.3), as a path can hold it. The router's patterns end there too. */
const lineEnd = /%0[ad]|%e2%80%a[89]/i;

/** Scheme and host of a target in absolute form. */
const beforePath = /^https?:\/\/([^/?#]*)/i;

/**
 * The host that a target in absolute form names, which counts instead of the `Host` header (RFC 9112, 3.2.2); undefined
 * for all other targets.
 */
export const namedHost = (target: string): string | undefined => beforePath.exec(target)?.[1];

/**
 * A target as path and query, whose path can be decoded and read in one line. Where percent signs encode no characters
 * or the end of a line they stand for themselves: such an address is then one that nobody has, instead of an error of
 * the framework's or the router's own.
 */
export function readableUrl(target: string): string {
  const behind = target.replace(beforePath, '');
  const url = behind === target || behind.startsWith('/') ? behind : `/${behind}`;
  if (!url.includes('%')) return url;
  const path = url.split('?', 1)[0] ?? '';
  return isReadable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
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
