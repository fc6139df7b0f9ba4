/**
 * A URL whose path can be decoded. Where percent signs encode no characters they stand for themselves: such an address
 * is then one that nobody has, instead of an error of the framework's own.
 */
export function readableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const path = url.split('?', 1)[0] ?? '';
  try {
    decodeURI(path);
    return url;
  } catch (thrown) {
    if (!(thrown instanceof URIError)) throw thrown;
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
