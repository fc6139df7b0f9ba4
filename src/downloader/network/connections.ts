import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { Environment } from '../../process/environment.ts';
import type { HttpVersion } from './contracts.ts';
import { UnknownEgress } from './network-failures.ts';

/** The only block of IPv6 that is handed out for public use (RFC 4291, IANA registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address may be connected to: public unicast only. Rejects loopback, private, link-local, shared, reserved
 * and multicast addresses, and any IPv6 form that carries an IPv4 address (mapped, NAT64, 6to4, Teredo).
 * @param address from a resolver; anything but a plain address is rejected
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js reads octal, hexadecimal and short IPv4 forms; a resolver never gives those.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed instanceof ipaddr.IPv6 && parsed.match(globalUnicast));
}

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type ResolveAddress = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface ConnectionOptions {
  /** 1.1 when not given. With 2, a host chooses: both are offered, as browsers do. */
  readonly http?: HttpVersion;
  /** The usual variables, as the environment names them. This module does not read the environment. */
  readonly proxy: Partial<Pick<Environment, 'HTTPS_PROXY' | 'NO_PROXY'>>;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Connections to one host at most. */
  readonly connections: number;
  /** The system's resolver when not given. */
  readonly resolveAddress?: ResolveAddress | undefined;
  /** Set by tests on loopback only. */
  readonly loopback?: LoopbackOptions | undefined;
}

/** Provides the connections of requests. */
export interface Connections {
  /** The dispatcher of an egress; the only one when none is named. Each version has its own. @throws UnknownEgress */
  dispatcherOf(egress: string | undefined, http: HttpVersion): Dispatcher;
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

/**
 * Connections of which each egress has its own, one dispatcher for each HTTP version.
 * @param egresses by their names; undefined for the only one, which no request has to name
 */
export function connectionsOf(
  egresses: ReadonlyMap<string | undefined, (http: HttpVersion) => Dispatcher>,
): Connections {
  const dispatchers = new Map(
    [...egresses].map(([egress, create]) => [egress, { '1.1': create('1.1'), 2: create('2') }]),
  );
  return {
    dispatcherOf(egress, http) {
      // The post may have been read through a proxy that no longer exists.
      const ofEgress = dispatchers.get(egress);
      if (ofEgress === undefined) throw new UnknownEgress(egress);
      return ofEgress[http];
    },
    async destroy() {
      const all = [...dispatchers.values()].flatMap((ofEgress) => Object.values(ofEgress));
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** The ALPN offer of a TLS connection: HTTP/2 first, as browsers do, or 1.1 alone. */
export const offerOf = (http: HttpVersion) => ({ allowH2: http === '2', preferH2: http === '2' });

/**
 * The connections of a site without `OUTBOUND_PROXIES`. A direct connection goes to an address that was checked after
 * the last name look-up, so DNS rebinding has no effect; through a proxy, the proxy resolves names and only the host
 * lists protect.
 */
export function createConnections(options: ConnectionOptions): Dispatcher {
  const { loopback } = options;
  const secureContext = secureContextFor(loopback);
  const offer = offerOf(options.http ?? '1.1');
  const connect = buildConnector({
    ...offer,
    secureContext,
    timeout: options.connectTimeoutMs,
    lookup: checkedLookup(
      options.resolveAddress ?? resolveWithSystem,
      loopback?.allowAddress ?? isPublicAddress,
    ),
  });
  return new EnvHttpProxyAgent({
    // Empty strings keep undici from reading the environment.
    httpProxy: '',
    httpsProxy: options.proxy.HTTPS_PROXY ?? '',
    noProxy: options.proxy.NO_PROXY ?? '',
    connections: options.connections,
    connectTimeout: options.connectTimeoutMs,
    allowH2: offer.allowH2,
    requestTls: { ...offer, secureContext },
    proxyTls: { allowH2: false, secureContext },
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
