import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  connectionOptions,
  limitConnections,
  type UnusedConnections,
  watchConnections,
} from './connections.ts';
import {
  closed,
  expectEndlessBodiesEnded,
  openSocket,
  postHead,
  shortTimes,
} from './testing/slow-clients.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** An application that waits for bodies, like the site. */
async function site(most = 1000): Promise<NetServer> {
  const { requestTimeout, keepAliveTimeout, ...http } = connectionOptions(shortTimes);
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

async function open(server: NetServer, text: string): Promise<Socket> {
  const socket = await openSocket(server, text);
  ended.push(() => socket.destroy());
  return socket;
}

test('ends requests whose body never ends', async () => {
  await expectEndlessBodiesEnded(await site(), '/');
});

test('a newcomer replaces the oldest silent connection, not one that is being answered', async () => {
  const server = await site(3);
  const beAnswered = async () => {
    const asked = once(server, 'request');
    const socket = await open(server, 'GET /held HTTP/1.1\r\nHost: a\r\n\r\n');
    await asked;
    return socket;
  };
  const first = await beAnswered();
  const asked = once(server, 'request');
  const oldest = await open(server, postHead('/', 'Content-Length: 9'));
  await asked;
  const younger = await open(server, '');
  const second = await beAnswered();
  await closed(oldest);
  const third = await beAnswered();
  await closed(younger);
  // Now all of them are being answered.
  await closed(await open(server, ''));
  expect([first, second, third].map((socket) => socket.closed)).toEqual([false, false, false]);
});

const large = 'x'.repeat(20_000_000);

let server: Server;
let connections: UnusedConnections;
let port: number;
let running: ServerResponse[];

beforeEach(async () => {
  running = [];
  server = createServer((request, response) => {
    if (request.url === '/slow') running.push(response);
    else if (request.url === '/large') response.end(large);
    else response.end('done');
  });
  connections = watchConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => server.closeAllConnections());

/** A client that keeps its connection open until the server closes it. */
async function client(text: string): Promise<{ socket: Socket; received: Promise<string> }> {
  const accepted = once(server, 'connection');
  const socket = connect(port, '127.0.0.1');
  await accepted;
  socket.write(text);
  const received = (async () => {
    let all = '';
    for await (const part of socket) all += String(part);
    return all;
  })();
  return { socket, received };
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;

test.each([
  ['nothing', ''],
  ['half a request', 'GET / HTTP/1.1\r\nHost: te'],
  ['half a body', 'POST /slow HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\nhalf'],
])('a connection that sent %s does not delay a stop', async (_, text) => {
  const { received } = await client(text);
  if (text.startsWith('POST')) await once(server, 'request');
  const closed = once(server, 'close');
  server.close();
  connections.close();
  await closed;
  expect(await received).toBe('');
});

test('closes a connection whose request was answered', async () => {
  const { socket, received } = await client(request('/'));
  await once(socket, 'data');
  const closed = once(server, 'close');
  server.close();
  connections.close();
  await closed;
  expect(await received).toContain('done');
});

test('finishes a running answer, then closes its connection', async () => {
  const { received } = await client(request('/slow'));
  await once(server, 'request');
  const closed = once(server, 'close');
  server.close();
  connections.close();
  running[0]?.end('the whole answer');
  await closed;
  expect(await received).toContain('the whole answer');
});

test('sends a large answer completely before it closes its connection', async () => {
  const { received } = await client(request('/large'));
  await once(server, 'request');
  const closed = once(server, 'close');
  server.close();
  connections.close();
  await closed;
  const [, body] = (await received).split('\r\n\r\n');
  expect(body === large).toBe(true);
});

test('closes a connection on which a request was answered while closing', async () => {
  const { socket, received } = await client('GET / HTTP/1.1\r\nHost: test\r\n');
  const slow = await client(request('/slow'));
  await once(server, 'request');
  socket.write('\r\n');
  await once(socket, 'data');
  connections.close();
  expect(await received).toContain('done');
  running[0]?.end('the whole answer');
  expect(await slow.received).toContain('the whole answer');
});

test('closes a connection that arrives while closing', async () => {
  connections.close();
  const { received } = await client('');
  expect(await received).toBe('');
});
