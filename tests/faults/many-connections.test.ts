import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';

/** More than the number of files that the process may open. */
const openFiles = 1024;
const connections = 1100;

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ wrapper: ['prlimit', `--nofile=${openFiles}`] });
});
afterAll(() => product.stop());

test('a client that opens more connections than allowed, and never finishes a request on them, shuts nobody out', async () => {
  const { hostname, port } = new URL(product.origin);
  const sockets: Socket[] = [];
  for (let n = 0; n < connections; n += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => socket.destroy());
    sockets.push(socket);
    await Promise.race([once(socket, 'connect').catch(() => undefined), once(socket, 'close')]);
    socket.write('POST /contact HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n');
    socket.write('Content-Type: application/x-www-form-urlencoded\r\n\r\nname=');
  }
  const statuses = [];
  for (const path of ['/', '/healthz', '/contact', '/no-such-page', '/'])
    statuses.push((await rawRequest(product.origin, path)).status);
  expect(statuses).toEqual([200, 200, 200, 404, 200]);
  // This many stay with their client: the oldest ones are reclaimed.
  expect(sockets.filter((socket) => socket.closed).length).toBeGreaterThan(connections - openFiles);
  for (const socket of sockets) socket.destroy();
});
