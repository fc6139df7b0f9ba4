import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';

/** Who asks for what, as the outermost trusted proxy says in its `X-Forwarded-*` headers; without one, the connection. */
export interface Forwarded {
  /** Network address of whoever asks: the last one that no trusted proxy has. */
  address(request: IncomingMessage): string;
  /** Host name and port that were asked. */
  host(request: IncomingMessage): string;
  /** Whether the visitor's connection is known to be encrypted. */
  isSecure(request: IncomingMessage): boolean;
  /** Whether the connection comes from a trusted proxy. */
  isProxy(request: IncomingMessage): boolean;
}

const peerOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

/** Whether an address is in one of some addresses and CIDR blocks. */
function inBlocks(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits] = block.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  const check = (text: string): boolean => {
    const [address = ''] = text.split('%', 1);
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  // The same proxies ask all the time.
  const recent = new LRUCache<string, { readonly isIn: boolean }>({
    max: 1000,
    memoMethod: (text) => ({ isIn: check(text) }),
  });
  return (text) => recent.memo(text).isIn;
}

/** The values of a list in a header, which may have come several times. */
const listed = (value: string | string[]): string[] =>
  String(value)
    .split(',')
    .map((one) => one.trim());

/**
 * Reads forwarded headers as far as they are to be believed: each proxy adds the address that it was asked from at the
 * end of `X-Forwarded-For`, so the list is read from there until an address is nobody's that is trusted.
 * @param trusted addresses and CIDR blocks of proxies
 * @param origin the public one: whether it is encrypted holds for whoever asks its host, also where no proxy says so
 */
export function forwardedBy(trusted: readonly string[], origin: URL): Forwarded {
  const isTrusted = trusted.length === 0 ? () => false : inBlocks(trusted);
  const isPublicTls = origin.protocol === 'https:';

  function said(request: IncomingMessage, name: string): string | undefined {
    const value = request.headers[name];
    if (value === undefined || !isTrusted(peerOf(request))) return undefined;
    return listed(value).at(-1) || undefined;
  }

  function address(request: IncomingMessage): string {
    let nearest = peerOf(request);
    const value = request.headers['x-forwarded-for'];
    if (value === undefined || !isTrusted(nearest)) return nearest;
    for (const one of listed(value).reverse().filter(Boolean)) {
      nearest = one;
      if (!isTrusted(nearest)) break;
    }
    return nearest;
  }

  const host = (request: IncomingMessage) => said(request, 'x-forwarded-host') ?? request.headers.host ?? '';

  function isSecure(request: IncomingMessage): boolean {
    const protocol = said(request, 'x-forwarded-proto');
    if (protocol === 'https') return true;
    if (protocol === undefined && (request.socket as Partial<TLSSocket>).encrypted) return true;
    return isPublicTls && host(request).toLowerCase() === origin.host;
  }

  return { address, host, isSecure, isProxy: (request) => isTrusted(peerOf(request)) };
}
