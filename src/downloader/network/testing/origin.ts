import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { type ByteReader, chunksOf, type PlatformNetwork } from '../contracts.ts';
import { createPlatformNetwork, type NetworkOptions } from '../platform-network.ts';
import { makeCertificate } from './certificate.ts';

/** Hosts that the tests' certificate is for; the last one is on no list. */
export const testHosts = {
  page: 'www.platform.test',
  short: 'go.platform.test',
  media: 'v16.platform.test',
  mirror: 'v19.platform.test',
  otherDomain: 'v16.platform-cdn.test',
  foreign: 'www.foreign.test',
} as const;

export const testLists: NetworkOptions['hosts'] = {
  'x/page': [/^(?:www|m)\.platform\.test$/],
  'x/short-link': [/^(?:go|www)\.platform\.test$/],
  'x/media': [/^v\d+\.platform\.test$/, /^v\d+\.platform-cdn\.test$/],
};

/** One server for every test host, distinguished by the `Host` header. It speaks HTTP/1.1 and 2. */
export interface Origin {
  readonly port: number;
  readonly ca: string;
  /** Replaced by each test; of HTTP/2, Node's compatible objects. */
  handle: RequestListener;
  /** Connections open now. */
  readonly open: ReadonlySet<Socket>;
  /** Connections ever made. */
  readonly connections: number;
  close(): Promise<void>;
}

export async function startOrigin(): Promise<Origin> {
  const certificate = await makeCertificate(Object.values(testHosts));
  const open = new Set<Socket>();
  let connections = 0;
  type Compatible = (request: Http2ServerRequest, response: Http2ServerResponse) => void;
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) =>
    (origin.handle as unknown as Compatible)(request, response),
  );
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // Some tests are about resets.
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin: Origin = {
    port,
    ca: certificate.cert,
    handle: (_request, response) => response.writeHead(404).end(),
    open,
    get connections() {
      return connections;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
  return origin;
}

/** Closes the connection of a response, with all that goes over it. */
export function cutOff(response: ServerResponse): void {
  if (response instanceof Http2ServerResponse) response.stream.session?.destroy();
  else response.socket?.destroy();
}

/** The host that a request names, in either HTTP version. */
export const hostOf = ({ headers }: IncomingMessage) => `${headers[':authority'] ?? headers.host}`;

/** A network that finds every test host on the origin, with short limits. */
export function testNetwork(origin: Origin, options: Partial<NetworkOptions> = {}): PlatformNetwork {
  return createPlatformNetwork({
    hosts: testLists,
    proxy: {},
    resolveAddress: async () => [{ address: '127.0.0.1', family: 4 }],
    ...options,
    leastMediaBytesPerS: options.leastMediaBytesPerS ?? 0,
    timeouts: { connectMs: 500, headersMs: 300, textMs: 600, mediaIdleMs: 200, ...options.timeouts },
    loopback: {
      ca: origin.ca,
      portOf: () => origin.port,
      allowAddress: (address) => address === '127.0.0.1',
      ...options.loopback,
    },
  });
}

/** A promise for which a test can wait without guessing a time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** All bytes of a body. @throws the error by which it ends early */
export async function bytesOf(body: ByteReader): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(body)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
