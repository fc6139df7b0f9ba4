import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer as createTlsHttpServer, type Server as TlsHttpServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { HostFault } from '../hosts.ts';
import type { Certificates } from './certificates.ts';

export interface ProxyOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly certificates: Certificates;
  readonly isKnownHost: (host: string) => boolean;
  readonly hostFault: (host: string) => HostFault | undefined;
  /** The protocol that a host chooses by ALPN; `lies` agrees on h2 and speaks HTTP/1.1. */
  readonly alpn: (host: string) => 'h2' | 'http/1.1' | 'lies';
  /** Half of a new connection's round trips on a distant line; each CONNECT waits for it. */
  readonly connectLatencyMs: () => number;
  readonly onForeignHost: (target: string) => void;
  readonly onConnection: (socket: Socket) => void;
  /** A request to a known host, after TLS. `reset` sends a TCP RST. */
  readonly onRequest: (request: ProxiedRequest) => void;
}

export interface ProxiedRequest {
  readonly host: string;
  /** The client address that the platform sees: from a front proxy's `Forwarded: for=` (RFC 7239), else empty. */
  readonly client: string;
  /** Requests of HTTP/2 as well: Node's compatibility API has the same methods. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reset: () => void;
}

export interface Proxy {
  readonly port: number;
  close(): Promise<void>;
}

/** An ordinary forward proxy (RFC 9110, 9.3.6) that ends TLS itself and answers instead of the hosts. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const tunnels: Tunnels = new Map();
  const tlsServers = createTlsServers(options, tunnels);
  const server = createServer((request, response) => {
    options.onForeignHost(request.url ?? '');
    response.writeHead(502).end('Only CONNECT to the hosts of the double is served');
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    options.onConnection(socket);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A client that leaves is not a fault of the double.
    socket.on('error', () => socket.destroy());
    void tunnel(options, tlsServers, tunnels, request, socket, head);
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await closeServer(server);
    },
  };
}

/** By the port of the connection's other end. */
type Tunnels = Map<number, { readonly socket: Socket; readonly client: string }>;

async function tunnel(
  options: ProxyOptions,
  tlsServers: TlsServers,
  tunnels: Tunnels,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const target = request.url ?? '';
  const [host = '', port] = target.toLowerCase().split(':');
  if (port !== '443' || !options.isKnownHost(host)) {
    options.onForeignHost(target);
    socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
    return;
  }
  const fault = options.hostFault(host);
  if (fault === 'hang') return;
  if (fault === 'refuse') {
    socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
    return;
  }
  const latencyMs = options.connectLatencyMs();
  if (latencyMs > 0) await delay(latencyMs);
  if (socket.destroyed) return;
  const { remotePort } = socket;
  if (remotePort !== undefined) {
    const client = /(?:^|;)for="?([\w.:[\]-]+)/i.exec(String(request.headers.forwarded ?? ''))?.[1] ?? '';
    tunnels.set(remotePort, { socket, client });
    socket.on('close', () => tunnels.delete(remotePort));
  }
  socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) socket.unshift(head);
  const server = options.alpn(host) === 'lies' ? tlsServers.lying : tlsServers.honest;
  server.emit('connection', socket);
}

interface TlsServers {
  /** Speaks what was agreed on. */
  readonly honest: Http2SecureServer;
  /** Agrees on h2 and speaks HTTP/1.1. */
  readonly lying: TlsHttpServer;
}

function createTlsServers(options: ProxyOptions, tunnels: Tunnels): TlsServers {
  const { trusted, untrusted } = options.certificates;
  const trustedContext = createSecureContext(trusted);
  const untrustedContext = createSecureContext(untrusted);
  const tls = {
    ...trusted,
    SNICallback(host: string, done: (error: Error | null, context?: SecureContext) => void) {
      done(null, options.hostFault(host) === 'bad-tls' ? untrustedContext : trustedContext);
    },
  };
  const honest = createSecureServer({
    ...tls,
    allowHTTP1: true,
    ALPNCallback: ({ servername, protocols }) =>
      [options.alpn(servername), 'http/1.1'].find((protocol) => protocols.includes(protocol)),
  });
  const lying = createTlsHttpServer({ ...tls, ALPNProtocols: ['h2', 'http/1.1'] });
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const host = (request.headers[':authority'] ?? request.headers.host ?? '').toString().toLowerCase();
    const { servername } = request.socket as { servername?: string | false };
    if (host !== servername || !options.isKnownHost(host)) {
      response.writeHead(421).end();
      return;
    }
    const { socket, client = '' } = tunnels.get(request.socket.remotePort ?? 0) ?? {};
    options.onRequest({ host, client, request, response, reset: () => socket?.resetAndDestroy() });
  };
  for (const server of [honest as unknown as TlsHttpServer, lying]) {
    // A client that does not trust the certificate, or leaves during the handshake: some tests are about that.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('request', onRequest);
  }
  // The same of a client that leaves in the middle of HTTP/2.
  honest.on('sessionError', () => {});
  return { honest, lying };
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
