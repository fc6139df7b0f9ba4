import type { HostListName } from './contracts.ts';

/** Allowed hosts by the list's name; the expressions see the lower-case host name and must be anchored. */
export type HostLists = Readonly<Record<HostListName, readonly RegExp[]>>;

/** An address that passed the checks, cut up without being rewritten. */
export interface Target {
  readonly host: string;
  /** `https://` and the host. */
  readonly origin: string;
  /** Path and query exactly as given: signed addresses break when they are normalised. */
  readonly path: string;
}

/** Why an address was refused. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  /** The host name that is not on the list, where that is why. */
  readonly host: string | undefined;

  constructor(message: string, host?: string) {
    super(message);
    this.host = host;
  }
}

// No user-info, no port but 443, no brackets, no character on which URL parsers disagree.
const plainHttps = /^https:\/\/([a-z0-9.-]{1,253})(?::443)?([/?][\x21-\x7e]*)?$/i;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
// The last label of an IPv4 address in any notation (WHATWG URL, "ends in a number").
const numeric = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * Checks an address against a list.
 * @throws AddressRefused
 */
export function checkTarget(url: string, hosts: HostListName, lists: HostLists): Target {
  const withoutFragment = url.split('#', 1)[0] ?? '';
  const match = plainHttps.exec(withoutFragment);
  const host = match?.[1]?.toLowerCase();
  if (match === null || host === undefined) throw new AddressRefused('not a plain https address');
  const labels = host.split('.');
  if (labels.length < 2 || !labels.every((part) => label.test(part)) || numeric.test(labels.at(-1) ?? '')) {
    throw new AddressRefused('not a host name');
  }
  if (!lists[hosts]?.some((pattern) => pattern.test(host))) {
    throw new AddressRefused(`host ${host} is not on the ${hosts} list`, host);
  }
  const rest = match[2] ?? '/';
  return { host, origin: `https://${host}`, path: rest.startsWith('?') ? `/${rest}` : rest };
}

/**
 * The media host list that contains an address: that of one platform, whose files redirect to no other platform's
 * servers.
 * @returns any list for an unlisted address, which that list then rejects
 */
export function mediaListOf(url: string, lists: HostLists): HostListName {
  const names = Object.keys(lists).filter((name): name is HostListName => name.endsWith('/media'));
  const host = URL.parse(url)?.hostname ?? '';
  return names.find((name) => lists[name]?.some((pattern) => pattern.test(host))) ?? names[0] ?? 'no/media';
}

/**
 * The target of a `Location` header. A complete one is kept verbatim.
 * @throws AddressRefused when it cannot be parsed
 */
export function redirectTarget(location: string, from: string): string {
  if (plainHttps.test(location)) return location;
  const resolved = URL.parse(location, from);
  if (resolved === null) throw new AddressRefused('the redirect cannot be read');
  return resolved.href;
}

/** Whether two hosts belong to the same registrable domain, so that credentials may follow a redirect. */
export function sameDomain(one: string, other: string): boolean {
  const domain = (host: string) => host.split('.').slice(-2).join('.');
  return domain(one) === domain(other);
}
