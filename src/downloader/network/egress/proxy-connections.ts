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
import type { ProxyFailed } from './egress-failures.ts';
import { openTunnel } from './tunnel.ts';

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
