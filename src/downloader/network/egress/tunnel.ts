import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { SocksClient } from 'socks';
import type { OutboundProxy } from '../../../process/outbound-proxy.ts';
import { ProxyFailed } from './egress-failures.ts';

export interface TunnelOptions {
  /** TLS context of the connection to an `https` proxy. */
  readonly secureContext: SecureContext;
  /** Limit until the tunnel is established. */
  readonly timeoutMs: number;
  /** Ends what has not become a tunnel yet. */
  readonly signal: AbortSignal;
}

/** A proxy's replies for an unreachable target: RFC 9110, 15.6.3 and 15.6.5; RFC 1928, section 6. */
const targetStatuses = new Set([502, 504]);
const socksTargetReplies = /NetworkUnreachable|HostUnreachable|ConnectionRefused|TTLExpired/;

/** Opens a connection to a host through a proxy, which resolves the name. @throws ProxyFailed */
export async function openTunnel(
  proxy: OutboundProxy,
  target: { readonly host: string; readonly port: number },
  { secureContext, timeoutMs, signal }: TunnelOptions,
): Promise<Socket> {
  const socket = connectToProxy(proxy, secureContext);
  // The waiting caller reports its errors.
  socket.on('error', () => {});
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const giveUp = () => socket.destroy(new Error('given up'));
  if (limit.aborted) giveUp();
  limit.addEventListener('abort', giveUp, { once: true });
  let isConnected = false;
  try {
    await once(socket, proxy.protocol === 'https' ? 'secureConnect' : 'connect');
    isConnected = true;
    await (proxy.protocol === 'socks5' ? connectBySocks : connectByHttp)(socket, proxy, target);
    return socket;
  } catch (error) {
    socket.destroy();
    // A proxy that takes connections and gives no tunnel may be waiting for the target.
    if (limit.aborted) throw new ProxyFailed(proxy.label, 'no tunnel in time', !isConnected, 'ETIMEDOUT');
    if (error instanceof ProxyFailed) throw error;
    throw new ProxyFailed(proxy.label, (error as Error).message, true, 'ERR_PROXY_FAILED');
  } finally {
    limit.removeEventListener('abort', giveUp);
  }
}

function connectToProxy({ protocol, host, port }: OutboundProxy, secureContext: SecureContext): Socket {
  if (protocol !== 'https') return connectTcp({ host, port, noDelay: true });
  return connectTls({ host, port, secureContext, ...(isIP(host) === 0 && { servername: host }) });
}

/** The `CONNECT` method (RFC 9110, 9.3.6). */
async function connectByHttp(
  socket: Socket,
  { label, credentials }: OutboundProxy,
  target: { readonly host: string; readonly port: number },
): Promise<void> {
  const authority = `${target.host}:${target.port}`;
  const request = httpRequest({
    createConnection: () => socket,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(credentials !== null && proxyAuthorization(credentials)) },
  });
  request.end();
  const [{ statusCode = 0 }, , head] = (await once(request, 'connect')) as [
    { statusCode?: number },
    Socket,
    Buffer,
  ];
  if (statusCode < 200 || statusCode > 299)
    throw new ProxyFailed(
      label,
      `answered ${statusCode}`,
      !targetStatuses.has(statusCode),
      'ERR_PROXY_FAILED',
    );
  if (head.length > 0) socket.unshift(head);
}

function proxyAuthorization({ username, password }: { username: string; password: string }) {
  return { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

async function connectBySocks(
  socket: Socket,
  { label, host, port, credentials }: OutboundProxy,
  target: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await SocksClient.createConnection({
      command: 'connect',
      destination: { ...target },
      existing_socket: socket,
      proxy: {
        ...{ type: 5, host, port },
        ...(credentials !== null && { userId: credentials.username, password: credentials.password }),
      },
    });
  } catch (error) {
    const { message } = error as Error;
    throw new ProxyFailed(label, message, !socksTargetReplies.test(message), 'ERR_PROXY_FAILED');
  }
}
