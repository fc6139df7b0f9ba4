import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { readAddress } from './network-address.ts';

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
