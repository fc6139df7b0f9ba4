/** Cookies that Google's tag script keeps on a device: of its measuring, and of the advertisement that was followed. */
const names = /^_(?:ga|gid|(?:ga|gcl)_[\w.-]{1,60})$/;

/** Whether a cookie is the tag script's. */
export const isTagCookie = (name: string): boolean => names.test(name);

/**
 * The domains for which the script may have written a cookie on a host: that host alone (null), or a domain that it
 * belongs to; the script takes the shortest that the browser lets it have.
 */
export function tagCookieDomains(host: string): (string | null)[] {
  const labels = /^[\d.]+$|:/.test(host) ? [] : host.split('.');
  return [null, ...labels.slice(1).map((_, at) => labels.slice(at).join('.'))];
}
