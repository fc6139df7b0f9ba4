import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** An address in quotes, in brackets, or followed by a port, as some proxies write it (RFC 7239, section 6). */
const dressed = /^(?:\[([^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5})$/;
const quoted = /^"(.*)"$/;

/**
 * Reads an IPv4 or IPv6 address, also with a port, in brackets or in quotes. An IPv6 address that contains an IPv4
 * address (`::ffff:192.0.2.1`) is that one.
 * @returns null for everything else, also for octal, hexadecimal and short forms of IPv4
 */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.trim().replace(quoted, '$1');
  const [, inBrackets, beforePort] = dressed.exec(bare) ?? [];
  const address = inBrackets ?? beforePort ?? bare;
  return isIP(address) === 0 ? null : ipaddr.process(address);
}

/** Stands for everything that is no address. */
const unknown = 'unknown';

/**
 * Writes each address of `X-Forwarded-For` without port, brackets and quotes, so that proxies that add them are found
 * in the list of trusted ones. What is no address becomes `unknown`.
 */
export const plainForwarded = (header: string): string =>
  header
    .split(',')
    .flatMap((part) => (part.trim() === '' ? [] : [readAddress(part)?.toString() ?? unknown]))
    .join(', ');

/** The neighbourhood of an address as people write it: its IPv4 /24 or IPv6 /56; `unknown` for no address. */
export function addressBlock(text: string): string {
  const address = readAddress(text);
  if (address === null) return unknown;
  const isV4 = address.kind() === 'ipv4';
  const bits = isV4 ? 24 : 56;
  const network = (isV4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address.toString()}/${bits}`);
  return `${network.toString()}/${bits}`;
}

/** Whether a network address is this machine's own. */
export const isLoopback = (address: string): boolean => readAddress(address)?.range() === 'loopback';

/** Whether an address is in one of some addresses and CIDR blocks. */
function isIn(blocks: readonly string[], address: string): boolean {
  const list = new BlockList();
  const familyOf = (text: string) => (isIP(text) === 6 ? 'ipv6' : 'ipv4');
  for (const block of blocks) {
    const [start = '', bits] = block.split('/');
    const family = familyOf(start);
    list.addSubnet(start, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list.check(address, familyOf(address));
}

/** Headers of which a proxy adds at least one, unless configured otherwise. */
const proxyHeaders = /^(?:via|forwarded|x-forwarded-.*|x-real-ip)$/;

/**
 * Whether a request certainly comes from this machine. A local proxy has a loopback address too; its own headers, the
 * public site's name in `Host`, or its address in `TRUST_PROXY` reveal it. One that sends none of these and a loopback
 * `Host` is indistinguishable from a local caller: `METRICS_PORT` exists for that case.
 */
export function isCertainlyLocal(
  { headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>,
  trustedProxies: readonly string[],
): boolean {
  const address = socket.remoteAddress ?? '';
  if (!isLoopback(address) || isIn(trustedProxies, address)) return false;
  if (Object.keys(headers).some((name) => proxyHeaders.test(name))) return false;
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  return host === 'localhost' || isLoopback(host);
}
