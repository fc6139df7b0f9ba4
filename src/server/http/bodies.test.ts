import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRefusedBodies } from './bodies.ts';
import { closed, postHead } from './testing/slow-clients.ts';

const mostBytes = 400_000;
let app: FastifyInstance;
let client: Socket;
/** The server's side of the client's connection. */
let socket: Socket;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  app = Fastify({ bodyLimit: 1000 });
  readRefusedBodies(app, { mostBytes, mostMs: 5000 });
  app.post('/taken', (request, reply) => reply.send(request.body));
  app.post('/refused', { onRequest: (_, reply) => void reply.code(403).send('no') }, () => undefined);
  app.post('/left', { onRequest: (_, reply) => void reply.code(303).send() }, () => undefined);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const connected = once(app.server, 'connection');
  const { port } = app.server.address() as AddressInfo;
  // Like a proxy, it goes on sending when the other side has ended.
  client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => client.destroy());
  [socket] = await connected;
});
afterEach(async () => {
  vi.useRealTimers();
  client.destroy();
  await app.close();
});

/** Sends a head, waits for the answer to it, and reads on. */
async function answered(path: string, more: string): Promise<string> {
  client.write(postHead(path, `Content-Type: application/json\r\n${more}`));
  const [bytes] = await once(client, 'data');
  client.resume();
  return String(bytes);
}

test.each([
  ['/taken', 413],
  ['/refused', 403],
  ['/left', 303],
  ['/unknown', 413],
])(
  'a client that is still sending to %s gets the whole answer, and no broken connection',
  async (path, status) => {
    const read = text(client);
    const send = (bytes: string) =>
      new Promise<void>((resolve, reject) =>
        client.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
    const answer = once(client, 'data');
    await send(
      postHead(path, 'Content-Type: application/json\r\nConnection: close\r\nContent-Length: 300000'),
    );
    await answer;
    for (let sent = 0; sent < 300_000; sent += 10_000) await send('x'.repeat(10_000));
    expect(await read).toContain(`HTTP/1.1 ${status} `);
    await closed(socket);
    expect(client.errored).toBe(null);
  },
);

test('a connection takes the next request after a refused body that ends', async () => {
  expect(await answered('/refused', 'Content-Length: 300000')).not.toContain('connection: close');
  client.write('x'.repeat(300_000));
  expect(await answered('/taken', 'Content-Length: 2\r\n\r\n{}')).toContain('HTTP/1.1 200');
});

test.each([
  ['does not say how long it is', 'Transfer-Encoding: chunked'],
  ['says that it is too long', 'Content-Length: 9000000'],
])('a body that %s is read to the bound, and its client let go after a while', async (_, header) => {
  expect(await answered('/refused', header)).toContain('connection: close');
  const chunk = `2710\r\n${'x'.repeat(10_000)}\r\n`;
  const send = () => {
    while (client.write(chunk));
  };
  client.on('drain', send);
  send();
  while (socket.bytesRead < mostBytes) await nextTurn();
  vi.advanceTimersByTime(4999);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  await closed(socket);
  // With what Node and the parser had at hand.
  expect(socket.bytesRead).toBeLessThan(mostBytes + 300_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('nothing remembers a client that leaves', async () => {
  await answered('/refused', 'Transfer-Encoding: chunked');
  while (vi.getTimerCount() < 1) await nextTurn();
  client.destroy();
  await closed(socket);
  expect(vi.getTimerCount()).toBe(0);
});
