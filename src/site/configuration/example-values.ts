/** The name of the site in the shipped file. It is reserved (RFC 2606, 3): nobody has it, and mail to it is lost. */
export const exampleDomain = 'clipferry.example';

/** Whether only this machine finds the site at this host. */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

const isExample = (host: string): boolean => host === exampleDomain || host.endsWith(`.${exampleDomain}`);

/**
 * A site file, as text, in which the public host takes the place of the shipped example's name.
 * @param origin the public one; undefined where the file alone says it
 */
export function withOwnName(text: string, origin: string | undefined): string {
  const { hostname = exampleDomain } = URL.parse(origin ?? '') ?? {};
  // No name: an IPv6 address.
  if (isLoopback(hostname) || isExample(hostname) || hostname.includes(':')) return text;
  return text.replaceAll(exampleDomain, hostname);
}
