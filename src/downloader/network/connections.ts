import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { isPublicAddress } from './addresses.ts';
import { UnknownWay } from './ways/way-failures.ts';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type ResolveAddress = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface ConnectionOptions {
  /** Values of the usual variables; nothing is read from the environment here. */
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

/** What gives each request its connections. */
export interface Connections {
  /** Those of a way out; of the only one when none is named. @throws UnknownWay */
  dispatcherOf(way: string | undefined): Dispatcher;
  /** Cuts off what still runs. */
  destroy(): Promise<void>;
}

/** What a test needs to speak to its own servers; production never sets any of it. */
export interface LoopbackOptions {
  /** Certificate authority in PEM. */
  readonly ca: string;
  /** Port that stands for 443 of a host. */
  readonly portOf: (host: string) => number;
  /** Replaces the check for public addresses. */
  readonly allowAddress?: (address: string) => boolean;
}

/** A host name led to an address that nothing may connect to. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'ERR_PRIVATE_ADDRESS';
}

/** The only connections there are, which no request has to name. */
export function onlyConnections(dispatcher: Dispatcher): Connections {
  return {
    dispatcherOf(way) {
      // It was read by a proxy that is not used any more.
      if (way !== undefined) throw new UnknownWay(way);
      return dispatcher;
    },
    destroy: () => dispatcher.destroy(),
  };
}

/**
 * The connections of a site without ways out of its own. A direct one goes to an address that was checked after the
 * last name lookup, so a name that changes its address gains nothing; through a proxy the proxy resolves names and only
 * the host lists hold.
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
      // Sockets skip the lookup for literal addresses; host names are all we ever ask for.
      if (isIP(request.hostname) !== 0) {
        callback(new PrivateAddressError('literal addresses are not connected to'), null);
        return;
      }
      const port = loopback === undefined ? request.port : String(loopback.portOf(request.hostname));
      connect({ ...request, port }, callback);
    },
  } as EnvHttpProxyAgent.Options);
}

/** One TLS context for all connections: a context of its own costs each one some 40 kB. */
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
