import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type Connections, type LoopbackOptions, secureContextFor } from '../connections.ts';
import type { OutboundProxy } from './outbound-proxy.ts';
import { openTunnel } from './tunnel.ts';
import { type ProxyFailed, UnknownWay } from './way-failures.ts';

interface WayConnectionOptions {
  readonly proxies: readonly OutboundProxy[];
  /** Told of a proxy that cannot be reached or does not want us. */
  readonly onUnreachable: (way: string, error: ProxyFailed) => void;
  /** For the proxy and for TLS behind it, in ms. */
  readonly connectTimeoutMs?: number;
  /** Connections by one way to one host at most. */
  readonly connections?: number;
  /** For tests on loopback only. */
  readonly loopback?: LoopbackOptions | undefined;
}

/**
 * A pool for each proxy: nothing is shared between two of them, not even TLS sessions, by which the platform would know
 * one from the other. The proxy resolves names, so it is the host lists that hold, and TLS, which ends at the platform.
 */
export function createWayConnections(options: WayConnectionOptions): Connections {
  const { proxies, onUnreachable, connectTimeoutMs: timeoutMs = 4000, connections = 1024 } = options;
  const secureContext = secureContextFor(options.loopback);
  const closing = new AbortController();

  function dispatcherOf(proxy: OutboundProxy): Dispatcher {
    const secure = buildConnector({ allowH2: false, secureContext, timeout: timeoutMs });
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
    return new Agent({ connect, connections, allowH2: false });
  }

  const dispatchers = new Map(proxies.map((proxy) => [proxy.id, dispatcherOf(proxy)]));
  return {
    dispatcherOf(way) {
      const dispatcher = dispatchers.get(way ?? '');
      if (dispatcher === undefined) throw new UnknownWay(way);
      return dispatcher;
    },
    async destroy() {
      closing.abort();
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
