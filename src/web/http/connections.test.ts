import { once } from 'node:events';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createPageCacheProgram } from '../../features/page-cache-server/program.ts';
import { connectionOptions, limitConnections } from './connections.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** The order of the real ones, in milliseconds instead of seconds. */
const short = { requestMs: 300, headMs: 150, checkMs: 25, betweenMs: 100 };

/** An application that waits for bodies, as the site does. */
async function site(most = 1000): Promise<NetServer> {
  const { requestTimeout, keepAliveTimeout, ...http } = connectionOptions(short);
  const app = Fastify({ requestTimeout, keepAliveTimeout, http });
  app.post('/', (request, reply) => reply.send(String(request.body)));
  app.get('/held', () => new Promise(() => undefined));
  limitConnections(app.server, most);
  await app.listen({ port: 0, host: '127.0.0.1' });
  ended.push(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return app.server;
}

async function pageCache(): Promise<NetServer> {
  const server = createPageCacheProgram({ maxBytes: 1e6, times: short });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

async function open(server: NetServer, text: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  ended.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.resume();
  socket.write(text);
  return socket;
}

/** However it was closed. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

/** Sends a byte now and then, for ever. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('1\r\na\r\n'), 20);
  socket.once('close', () => clearInterval(timer));
}

const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n\r\n`;

test.each([
  ['of the site', site, '/'],
  ['of the page cache', pageCache, '/set?key=k'],
])('requests %s whose body never ends are ended', async (_, start, path) => {
  const server = await start();
  const sockets = await Promise.all(
    Array.from({ length: 300 }, (_none, n) =>
      open(
        server,
        head(
          path,
          n % 2 === 0
            ? 'Transfer-Encoding: chunked'
            : 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 90000',
        ),
      ),
    ),
  );
  for (const socket of sockets) drip(socket);
  await Promise.all(sockets.map(closed));
});

test('a newcomer takes the place of the oldest that says nothing, not of one that is answered', async () => {
  const server = await site(3);
  const beAnswered = async () => {
    const asked = once(server, 'request');
    const socket = await open(server, 'GET /held HTTP/1.1\r\nHost: a\r\n\r\n');
    await asked;
    return socket;
  };
  const first = await beAnswered();
  const asked = once(server, 'request');
  const oldest = await open(server, head('/', 'Content-Length: 9'));
  await asked;
  const younger = await open(server, '');
  const second = await beAnswered();
  await closed(oldest);
  const third = await beAnswered();
  await closed(younger);
  // Now all are being answered.
  await closed(await open(server, ''));
  expect([first, second, third].map((socket) => socket.closed)).toEqual([false, false, false]);
});
