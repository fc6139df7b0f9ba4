import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { SocksClient } from 'socks';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { OutboundProxy } from '../../../process/outbound-proxy.ts';
import {
  type Connections,
  connectionsOf,
  type LoopbackOptions,
  offerOf,
  secureContextFor,
} from '../connections.ts';
import type { HttpVersion } from '../contracts.ts';
import { ProxyFailed } from '../network-failures.ts';

interface ProxyConnectionOptions {
  readonly proxies: readonly OutboundProxy[];
  /** Called for a proxy that is unreachable or rejects us. */
  readonly onUnreachable: (egress: string, error: ProxyFailed) => void;
  /** Limit for the proxy, and for TLS behind it, in ms. */
  readonly connectTimeoutMs?: number;
  /** Set by tests on loopback only. */
  readonly loopback?: LoopbackOptions | undefined;
}

/** Maximum number of connections through one egress to one host. */
const mostConnections = 1024;

/**
 * One pool per proxy and HTTP version: proxies share nothing, not even TLS sessions, by which the platform could link
 * them. Proxies resolve names, so the host lists and TLS, which ends at the platform, protect.
 */
export function createProxyConnections(options: ProxyConnectionOptions): Connections {
  const { proxies, onUnreachable, connectTimeoutMs: timeoutMs = 4000 } = options;
  const secureContext = secureContextFor(options.loopback);
  const closing = new AbortController();

  function createDispatcher(proxy: OutboundProxy, http: HttpVersion): Dispatcher {
    const offer = offerOf(http);
    const secure = buildConnector({ ...offer, secureContext, timeout: timeoutMs });
    const connect: buildConnector.connector = (request, callback) => {
      const target = { host: request.hostname, port: Number(request.port) || 443 };
      openTunnel(proxy, target, { secureContext, timeoutMs, signal: closing.signal }).then(
        (httpSocket) => secure({ ...request, httpSocket }, callback),
        (error: ProxyFailed) => {
          if (error.isProxyAtFault && !closing.signal.aborted) onUnreachable(proxy.id, error);
          callback(error, null);
        },
      );
    };
    return new Agent({ connect, connections: mostConnections, allowH2: offer.allowH2 });
  }

  const connections = connectionsOf(
    new Map(proxies.map((proxy) => [proxy.id, (http) => createDispatcher(proxy, http)])),
  );
  return {
    ...connections,
    destroy() {
      closing.abort();
      return connections.destroy();
    },
  };
}

interface TunnelOptions {
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
async function openTunnel(
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
