import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Whether a network address is this machine's own. */
export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

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

/** Headers of which a proxy adds at least one, unless it is told not to. */
const proxyHeaders = /^(?:via|forwarded|x-forwarded-.*|x-real-ip)$/;

/**
 * Whether a request certainly comes from this machine. A proxy here has a loopback address too; what gives it away is a
 * header of its own, the name of the public site in `Host`, or its address in `TRUST_PROXY`. One that sends none of
 * these and writes a loopback `Host` cannot be told from a local caller: for that there is `METRICS_PORT`.
 */
export function isCertainlyLocal(
  { headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>,
  trustedProxies: readonly string[],
): boolean {
  const address = socket.remoteAddress ?? '';
  if (!isLoopback(address) || isIn(trustedProxies, address)) return false;
  if (Object.keys(headers).some((name) => proxyHeaders.test(name))) return false;
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  return host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'));
}
