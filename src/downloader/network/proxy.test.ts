import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PlatformNetwork } from './contracts.ts';
import { bytesOf, hostOf, type Origin, startOrigin, testHosts, testNetwork } from './testing/origin.ts';

let origin: Origin;
let proxy: Server;
let network: PlatformNetwork;
let requested: string[];
const tunnels = new Set<Socket>();
let answer: (client: Socket) => void;

beforeAll(async () => {
  origin = await startOrigin();
  origin.handle = (request, response) => response.end(hostOf(request));
  proxy = createServer();
  proxy.on('connect', (request, client: Socket) => {
    requested.push(request.url ?? '');
    tunnels.add(client);
    client.on('error', () => {});
    answer(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  requested = [];
  answer = (client) => {
    const upstream = connect(origin.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  };
});
afterEach(async () => {
  await network.close();
  for (const socket of tunnels) socket.destroy();
});
afterAll(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await origin.close();
});

const start = (noProxy?: string) => {
  network = testNetwork(origin, {
    proxy: {
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      NO_PROXY: noProxy,
    },
    // No direct connection to this machine is allowed; the operator configures the proxy's own address.
    loopback: { ca: origin.ca, portOf: () => origin.port, allowAddress: () => false },
  });
};
const signal = new AbortController().signal;
const page = (url = `https://${testHosts.page}/`) => ({
  url,
  hosts: 'x/page' as const,
  maxBytes: 1000,
  maxRedirects: 3,
  signal,
});

it('uses the proxy for pages, in both HTTP versions, and media alike', async () => {
  start();
  expect((await network.fetchText(page())).body.toString()).toBe(testHosts.page);
  const { body, http } = await network.fetchText({ ...page(), http: '2' });
  expect([body.toString(), http]).toEqual([testHosts.page, '2']);
  const source = { urls: [`https://${testHosts.media}/a`], headers: {}, expiresAt: 0 };
  const media = await network.openMedia({ source, start: 0, end: null, signal });
  expect((await bytesOf(media)).toString()).toBe(testHosts.media);
  expect(requested).toEqual([testHosts.page, testHosts.page, testHosts.media].map((host) => `${host}:443`));
});

it('checks the host lists through the proxy too', async () => {
  start();
  for (const url of ['https://www.foreign.test/', 'https://127.0.0.1/', 'https://www.platform.test:22/']) {
    await expect(network.fetchText(page(url))).rejects.toMatchObject({ key: 'platform_failed' });
  }
  expect(requested).toEqual([]);
});

it('bypasses the proxy where NO_PROXY says so, and still checks addresses', async () => {
  start('.platform.test');
  await expect(network.fetchText(page())).rejects.toMatchObject({
    key: 'platform_failed',
    cause: { code: 'ERR_PRIVATE_ADDRESS' },
  });
  expect(requested).toEqual([]);
});

it('reports a proxy that refuses', async () => {
  start();
  answer = (client) => client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  await expect(network.fetchText(page())).rejects.toMatchObject({ key: 'platform_failed' });
});

it('waits for a silent proxy no longer than allowed', async () => {
  start();
  answer = () => {};
  await expect(network.fetchText(page())).rejects.toMatchObject({ key: 'platform_timeout' });
});
