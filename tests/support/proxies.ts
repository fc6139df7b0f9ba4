import { once } from 'node:events';
import { request as connectRequest, createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy's response: 407 is a wrong user in SOCKS, 502 an unreachable target. */
type ProxyMood = 'works' | 'silent' | 403 | 407 | 502;

export interface ProxyOptions {
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Opens the connection to which a tunnel leads. */
  readonly route: (host: string, port: number) => Promise<Duplex>;
}

/** A small proxy on the loopback interface. */
export interface TestProxy {
  /** With its credentials, as for `OUTBOUND_PROXIES`. */
  readonly url: string;
  /** `host:port` of each tunnel that was requested with the correct credentials. */
  readonly asked: readonly string[];
  /** Open connections of clients. */
  readonly open: number;
  mood: ProxyMood;
  close(): Promise<void>;
}

/** Connects to this loopback port, whatever host is requested. */
export const toPort = (port: number) => async (): Promise<Duplex> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

/**
 * Continues through the platform's double as a client of its own.
 * @param proxyUrl the double's proxy
 * @param client the address that the platform sees
 */
export function throughPlatform(proxyUrl: string, client: string): ProxyOptions['route'] {
  const { hostname, port } = new URL(proxyUrl);
  return async (host, targetPort) => {
    const request = connectRequest({
      ...{ host: hostname, port, method: 'CONNECT', path: `${host}:${targetPort}`, agent: false },
      headers: { host: `${host}:${targetPort}`, forwarded: `for=${client}` },
    }).end();
    const [response, socket] = (await once(request, 'connect')) as [{ statusCode: number }, Duplex];
    if (response.statusCode === 200) return socket;
    socket.destroy();
    throw new Error(`the double answered ${response.statusCode}`);
  };
}

/** An HTTP proxy that supports only `CONNECT`. @param tls speaks TLS itself */
export async function startHttpProxy(
  options: ProxyOptions,
  tls?: { readonly key: string; readonly cert: string },
): Promise<TestProxy> {
  const server = tls === undefined ? createHttpServer() : createHttpsServer(tls);
  const wanted = options.credentials && `${options.credentials.username}:${options.credentials.password}`;
  const proxy = proxyOn(server, tls === undefined ? 'http' : 'https', options);
  server.on('connect', async (request, client: Socket) => {
    const given = /^Basic (.+)$/.exec(request.headers['proxy-authorization'] ?? '')?.[1] ?? '';
    const isKnown = wanted === undefined || Buffer.from(given, 'base64').toString() === wanted;
    if (proxy.mood === 'silent') {
      client.resume();
      return;
    }
    if (!isKnown || proxy.mood !== 'works') {
      client.end(`HTTP/1.1 ${isKnown ? proxy.mood : 407} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    await proxy.tunnel(client, host, Number(port), () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
  });
  return proxy.listening();
}

const socksMoods = { works: 0, silent: 0, 403: 2, 407: 1, 502: 4 } as const;

/** A SOCKS5 proxy (RFC 1928, 1929) that connects by name. */
export async function startSocksProxy(options: ProxyOptions): Promise<TestProxy> {
  const server = createServer();
  const proxy = proxyOn(server, 'socks5', options);
  server.on('connection', async (client) => {
    const read = reader(client);
    const methods = await read((await read(2))[1] ?? 0);
    const method = options.credentials === undefined ? 0 : 2;
    client.write(Buffer.from([5, methods.includes(method) ? method : 0xff]));
    if (method === 2 && !(await isWelcome(client, read, options, proxy.mood))) return;
    const [, , , kind] = await read(4);
    const host = kind === 3 ? (await read((await read(1))[0] ?? 0)).toString() : 'no name';
    const port = (await read(2)).readUInt16BE();
    if (proxy.mood === 'silent') {
      client.resume();
      return;
    }
    const answer = (code: number) => client.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
    if (proxy.mood !== 'works') {
      answer(socksMoods[proxy.mood]);
      client.end();
      return;
    }
    await proxy.tunnel(client, host, port, () => answer(0));
  });
  return proxy.listening();
}

async function isWelcome(
  client: Socket,
  read: (bytes: number) => Promise<Buffer>,
  { credentials }: ProxyOptions,
  mood: ProxyMood,
): Promise<boolean> {
  const username = await read((await read(2))[1] ?? 0);
  const password = await read((await read(1))[0] ?? 0);
  const isKnown =
    username.toString() === credentials?.username && password.toString() === credentials.password;
  const isTaken = isKnown && mood !== 407;
  client.write(Buffer.from([1, isTaken ? 0 : 1]));
  if (!isTaken) client.end();
  return isTaken;
}

/** Reads a number of bytes at a time, and leaves the rest in the socket. */
function reader(socket: Socket): (bytes: number) => Promise<Buffer> {
  return async (bytes) => {
    for (;;) {
      const found = bytes === 0 ? Buffer.alloc(0) : (socket.read(bytes) as Buffer | null);
      if (found !== null) return found;
      // A client that leaves midway keeps this waiting forever, and is garbage-collected with it.
      await once(socket, 'readable');
    }
  };
}

function proxyOn(server: Server, protocol: string, { credentials, route }: ProxyOptions) {
  const clients = new Set<Duplex>();
  const requested: string[] = [];
  const user = credentials
    ? `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`
    : '';
  server.on('connection', (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    // Some tests are about clients that leave.
    client.on('error', () => {});
    client.on('end', () => client.end());
  });
  const proxy = {
    url: '',
    asked: requested,
    get open() {
      return clients.size;
    },
    mood: 'works' as ProxyMood,
    async tunnel(client: Duplex, host: string, port: number, begin: () => void) {
      requested.push(`${host}:${port}`);
      const target = await route(host, port).catch(() => null);
      if (target === null) {
        client.destroy();
        return;
      }
      begin();
      client.on('error', () => {});
      target.on('error', () => client.destroy());
      client.on('close', () => target.destroy());
      target.on('close', () => client.destroy());
      client.pipe(target).pipe(client);
    },
    async listening(): Promise<TestProxy> {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      proxy.url = `${protocol}://${user}127.0.0.1:${(server.address() as AddressInfo).port}`;
      return proxy;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
  return proxy;
}
