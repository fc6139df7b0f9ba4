import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Forwarded } from './forwarded.ts';

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Headers of which a proxy adds at least one, unless it is told not to. */
const proxyHeaders = /^(?:via|forwarded|x-forwarded-.*|x-real-ip)$/;

/**
 * Whether a request certainly comes from this machine. A proxy here has a loopback address too; what gives it away is a
 * header of its own, the name of the public site in `Host`, or its address in `TRUST_PROXY`. One that sends none of
 * these and writes a loopback `Host` cannot be told from a local caller: for that there is `METRICS_PORT`.
 */
export function isCertainlyLocal(request: IncomingMessage, { isProxy }: Pick<Forwarded, 'isProxy'>): boolean {
  const { headers, socket } = request;
  if (!isLoopback(socket.remoteAddress ?? '') || isProxy(request)) return false;
  if (Object.keys(headers).some((name) => proxyHeaders.test(name))) return false;
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  return host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'));
}
