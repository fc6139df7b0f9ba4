import { once } from 'node:events';
import type { Server as NetServer, Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { connectionOptions, limitConnections } from './connections.ts';
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
