/**
 * Tells the site's former host, the `www.` one, however a visitor's program writes it: in any case, with a port, with
 * the dot at its end that marks a whole name (RFC 3986, 3.2.2).
 * @param origin the public one
 */
export function formerHostOf(origin: string): (host: string) => boolean {
  const former = `www.${new URL(origin).hostname}`;
  return (host) => {
    // Most are another: nothing is made of them.
    if (host.length < former.length) return false;
    return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase() === former;
  };
}
