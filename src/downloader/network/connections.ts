import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { isPublicAddress } from './addresses.ts';
import { UnknownEgress } from './egress/egress-failures.ts';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type ResolveAddress = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface ConnectionOptions {
  /** Values of the usual variables; this module does not read the environment. */
  readonly proxy: { readonly httpsProxy?: string; readonly noProxy?: string };
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Connections to one host at most. */
  readonly connections: number;
  /** The system's resolver when not given. */
  readonly resolveAddress?: ResolveAddress | undefined;
  /** For tests on loopback only. */
  readonly loopback?: LoopbackOptions | undefined;
}

/** Provides the connections of requests. */
export interface Connections {
  /** The dispatcher of an egress; the only one when none is named. @throws UnknownWay */
  dispatcherOf(egress: string | undefined): Dispatcher;
  /** Cuts off what still runs. */
  destroy(): Promise<void>;
}

/** Lets a test reach its own servers; never set in production. */
export interface LoopbackOptions {
  /** Certificate authority in PEM. */
  readonly ca: string;
  /** The port that replaces 443 of a host. */
  readonly portOf: (host: string) => number;
  /** Replaces the check for public addresses. */
  readonly allowAddress?: (address: string) => boolean;
}

/** A host name resolved to a forbidden address. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'ERR_PRIVATE_ADDRESS';
}

/** The only connections there are, which no request has to name. */
export function onlyConnections(dispatcher: Dispatcher): Connections {
  return {
    dispatcherOf(egress) {
      // The post was read through a proxy that no longer exists.
      if (egress !== undefined) throw new UnknownEgress(egress);
      return dispatcher;
    },
    destroy: () => dispatcher.destroy(),
  };
}

/**
 * The connections of a site without `OUTBOUND_PROXIES`. A direct connection goes to an address that was checked after
 * the last name look-up, so DNS rebinding has no effect; through a proxy, the proxy resolves names and only the host
 * lists protect.
 */
export function createConnections(options: ConnectionOptions): Dispatcher {
  const { loopback } = options;
  const secureContext = secureContextFor(loopback);
  const tls = { allowH2: false, secureContext };
  const connect = buildConnector({
    ...tls,
    timeout: options.connectTimeoutMs,
    lookup: checkedLookup(
      options.resolveAddress ?? resolveWithSystem,
      loopback?.allowAddress ?? isPublicAddress,
    ),
  });
  return new EnvHttpProxyAgent({
    // Empty strings keep undici from reading the environment.
    httpProxy: '',
    httpsProxy: options.proxy.httpsProxy ?? '',
    noProxy: options.proxy.noProxy ?? '',
    connections: options.connections,
    connectTimeout: options.connectTimeoutMs,
    allowH2: false,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (origin: URL, poolOptions: object) =>
      new Pool(origin, { ...poolOptions, headersTimeout: options.headersTimeoutMs }),
    connect: (request, callback) => {
      // Sockets skip the look-up for literal addresses, but all requests are by host name.
      if (isIP(request.hostname) !== 0) {
        callback(new PrivateAddressError('literal addresses are not connected to'), null);
        return;
      }
      const port = loopback === undefined ? request.port : String(loopback.portOf(request.hostname));
      connect({ ...request, port }, callback);
    },
  } as EnvHttpProxyAgent.Options);
}

/** One TLS context for all connections: a separate one costs some 40 kB each. */
export function secureContextFor(loopback: LoopbackOptions | undefined): SecureContext {
  return createSecureContext(loopback === undefined ? {} : { ca: loopback.ca });
}

function checkedLookup(resolve: ResolveAddress, allowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const usable = found.filter(
          ({ address, family }) =>
            allowed(address) &&
            (!options.family || options.family === family || options.family === `IPv${family}`),
        );
        const first = usable[0];
        if (first === undefined) {
          callback(new PrivateAddressError(`${hostname} has no address that may be connected to`), '');
        } else if (options.all) callback(null, [...usable]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function resolveWithSystem(host: string): Promise<readonly ResolvedAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}
