import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type UnusedConnections, watchConnections } from './unused-connections.ts';

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
