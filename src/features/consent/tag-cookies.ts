/** Cookies of Google's tag script: for measuring, and for the followed advertisement. */
const names = /^_(?:ga|gid|(?:ga|gcl)_[\w.-]{1,60})$/;

/** Whether a cookie is the tag script's. */
export const isTagCookie = (name: string): boolean => names.test(name);

/**
 * The domains for which the script may have written a cookie on a host: the host itself (null), or a parent domain; the
 * script takes the shortest that the browser accepts.
 */
export function tagCookieDomains(host: string): (string | null)[] {
  const labels = /^[\d.]+$|:/.test(host) ? [] : host.split('.');
  return [null, ...labels.slice(1).map((_, at) => labels.slice(at).join('.'))];
}
