import {
  type ConnectionOptions,
  type Connections,
  connectionsOf,
  createConnections,
  type LoopbackOptions,
  type ResolveAddress,
} from './connections.ts';
import type { MediaRequest, NetworkEvent, PlatformNetwork, TextRequest } from './contracts.ts';
import { fetchText } from './fetch-text.ts';
import { MediaConnections, type MediaConnectionsOptions } from './flows/media-connections.ts';
import { openMedia } from './flows/open-media.ts';
import type { HostLists } from './targets.ts';

/** Longest waits in ms. */
interface NetworkTimeouts {
  /** TCP and TLS together. */
  readonly connectMs: number;
  /** Time from the request to the head of the answer. */
  readonly headersMs: number;
  /** Time from the request to the last byte of a text response. */
  readonly textMs: number;
  /** Between two pieces of a media body; a slow but steady body is fine. */
  readonly mediaIdleMs: number;
}

export interface NetworkOptions {
  /** Hosts that may be spoken to, of all platforms; anchored expressions over the lower-case name. */
  readonly hosts: HostLists;
  readonly proxy: ConnectionOptions['proxy'];
  /** Take the place of connections by `proxy`, and bring their own bounds. */
  readonly connections?: Connections | undefined;
  readonly timeouts?: Partial<NetworkTimeouts>;
  /** A media body that brings less, on average over `mediaIdleMs`, is given up. */
  readonly leastMediaBytesPerS?: number;
  /** Connections that flows share, to all hosts. */
  readonly flows?: MediaConnectionsOptions;
  readonly resolveAddress?: ResolveAddress;
  /** Called for every finished request. */
  readonly observe?: (event: NetworkEvent) => void;
  /** Set by tests on loopback only. */
  readonly loopback?: LoopbackOptions;
}

const defaultTimeouts: NetworkTimeouts = {
  connectMs: 4000,
  headersMs: 6000,
  textMs: 8000,
  mediaIdleMs: 15_000,
};
/** A minute of sound in a quarter of an hour: a slower transfer is useless. */
const defaultLeastMediaBytesPerS = 1024;
/** Some 25 MB when all of them wait for their clients. */
const defaultFlows = { limit: 128 };
const mostConnectionsToHost = 1024;

/** Network access to the platform: connection pools behind host lists, address checks and limits. */
export function createPlatformNetwork(options: NetworkOptions): PlatformNetwork {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const connections =
    options.connections ??
    connectionsOf(
      new Map([
        [
          undefined,
          (http) =>
            createConnections({
              http,
              proxy: options.proxy,
              connectTimeoutMs: timeouts.connectMs,
              headersTimeoutMs: timeouts.headersMs,
              connections: mostConnectionsToHost,
              resolveAddress: options.resolveAddress,
              loopback: options.loopback,
            }),
        ],
      ]),
    );
  const context = {
    connections,
    hosts: options.hosts,
    headersTimeoutMs: timeouts.headersMs,
    textTimeoutMs: timeouts.textMs,
    mediaIdleMs: timeouts.mediaIdleMs,
    leastMediaBytesPerS: options.leastMediaBytesPerS ?? defaultLeastMediaBytesPerS,
    observe: options.observe ?? (() => {}),
  };
  const mediaConnections = new MediaConnections(options.flows ?? defaultFlows);
  return {
    fetchText: (request: TextRequest) => fetchText(context, request),
    openMedia: (request: MediaRequest) =>
      openMedia({ ...context, mediaConnections: request.isUnbounded ? null : mediaConnections }, request),
    // Cuts off running requests: the caller has waited as long as it wanted to.
    close: () => connections.destroy(),
  };
}
