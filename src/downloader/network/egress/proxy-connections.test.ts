import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startHttpProxy,
  startSocksProxy,
  type TestProxy,
  toPort,
} from '../../../../tests/support/proxies.ts';
import { type OutboundProxy, parseOutboundProxies } from '../../../process/outbound-proxy.ts';
import type { PlatformNetwork } from '../contracts.ts';
import { ProxyFailed } from '../network-failures.ts';
import { makeCertificate } from '../testing/certificate.ts';
import {
  bytesOf,
  cutOff,
  hostOf,
  type Origin,
  startOrigin,
  testHosts,
  testNetwork,
  until,
} from '../testing/origin.ts';
import { createProxyConnections } from './proxy-connections.ts';

const credentials = { username: 'someone', password: 's3cret:/@' };
const signal = new AbortController().signal;

let origin: Origin;
let proxies: TestProxy[];
let network: PlatformNetwork;
let egresses: readonly OutboundProxy[];
let unreachable: { egress: string; error: ProxyFailed }[];

beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(() => {
  origin.handle = (request, response) => response.end(hostOf(request));
  proxies = [];
  unreachable = [];
});
afterEach(async () => {
  await network.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
});
afterAll(() => origin.close());

async function open(...started: Promise<TestProxy>[]) {
  proxies = await Promise.all(started);
  openWays(parseOutboundProxies(proxies.map(({ url }) => url).join()));
  return proxies[0] as TestProxy;
}

function openWays(list: readonly OutboundProxy[], ca = origin.ca) {
  egresses = list;
  network = testNetwork(origin, {
    timeouts: { headersMs: 5000, textMs: 10_000 },
    connections: createProxyConnections({
      proxies: list,
      connectTimeoutMs: 500,
      onUnreachable: (egress, error) => unreachable.push({ egress, error }),
      loopback: { ca, portOf: () => origin.port },
    }),
  });
}

const page = (url = `https://${testHosts.page}/`, egress = egresses[0]?.id) => ({
  ...{ url, hosts: 'x/page' as const, maxBytes: 1000, maxRedirects: 3, egress, signal },
});
const text = async (egress?: string) => (await network.fetchText(page(undefined, egress))).body.toString();
const failure = (url?: string, egress?: string) =>
  network.fetchText(page(url, egress)).then(
    () => expect.unreachable('it was answered'),
    (error: Error & { key: string; cause: Error }) => error,
  );
const route = (host: string, port: number) => {
  expect([host, port]).toEqual([host, 443]);
  return toPort(origin.port)();
};

const kinds: Record<string, (options: { credentials?: typeof credentials }) => Promise<TestProxy>> = {
  'an http proxy': (options) => startHttpProxy({ ...options, route }),
  'a socks5 proxy': (options) => startSocksProxy({ ...options, route }),
};

describe.each(Object.keys(kinds))('%s', (kind) => {
  const start = (options = {}) => kinds[kind]?.(options) as Promise<TestProxy>;

  it('carries pages, in both HTTP versions, and media, by name', async () => {
    const proxy = await open(start());
    expect(await text()).toBe(testHosts.page);
    const { body, http } = await network.fetchText({ ...page(), http: '2' });
    expect([body.toString(), http]).toEqual([testHosts.page, '2']);
    const source = {
      urls: [`https://${testHosts.media}/a`],
      headers: {},
      expiresAt: 0,
      egress: egresses[0]?.id,
    };
    const media = await network.openMedia({ source, start: 0, end: null, signal });
    expect((await bytesOf(media)).toString()).toBe(testHosts.media);
    expect(proxy.asked).toEqual(
      [testHosts.page, testHosts.page, testHosts.media].map((host) => `${host}:443`),
    );
    expect(unreachable).toEqual([]);
  });

  it('receives its user and password', async () => {
    await open(start({ credentials }));
    expect(await text()).toBe(testHosts.page);
  });

  it.each([403, 407] as const)(
    'counts as unreachable when it refuses us (%i), and nobody learns its password',
    async (mood) => {
      const proxy = await open(start({ credentials }));
      proxy.mood = mood;
      const error = await failure();
      expect(error).toMatchObject({ key: 'platform_failed', cause: { code: 'ERR_PROXY_FAILED' } });
      expect(error.cause).toBeInstanceOf(ProxyFailed);
      expect(unreachable.map(({ egress }) => egress)).toEqual([egresses[0]?.id]);
      for (const printed of [error, error.cause, ...unreachable]) {
        const everything = JSON.stringify({
          ...printed,
          text: `${printed}`,
          stack: (printed as Error).stack,
        });
        expect(everything).not.toMatch(/s3cret|someone/);
      }
    },
  );

  it('stays reachable when it cannot reach one host', async () => {
    const proxy = await open(start());
    proxy.mood = 502;
    expect(await failure()).toMatchObject({ key: 'platform_failed' });
    expect(unreachable).toEqual([]);
  });

  it('stays reachable when an HTTP/2 connection through it breaks', async () => {
    const proxy = await open(start());
    origin.handle = (_request, response) => cutOff(response);
    await expect(network.fetchText({ ...page(), http: '2' })).rejects.toMatchObject({
      key: 'platform_failed',
    });
    // Once more, by a new connection.
    expect(proxy.asked).toHaveLength(2);
    expect(unreachable).toEqual([]);
  });

  it('times out when it is silent, and leaves nothing open', async () => {
    const proxy = await open(start());
    proxy.mood = 'silent';
    expect(await failure()).toMatchObject({ key: 'platform_timeout' });
    expect(unreachable).toEqual([]);
    await until(() => proxy.open === 0);
  });

  it('counts as unreachable when it does not exist', async () => {
    const proxy = await open(start());
    await proxy.close();
    proxies = [];
    expect(await failure()).toMatchObject({ key: 'platform_failed' });
    expect(unreachable.map(({ egress }) => egress)).toEqual([egresses[0]?.id]);
  });

  it('never receives a host that is not on the lists, nor an address', async () => {
    const proxy = await open(start());
    for (const url of [
      'https://www.foreign.test/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'https://10.0.0.1/',
      `https://${testHosts.page}:22/`,
      `http://${testHosts.page}/`,
      `https://user@${testHosts.page}/`,
    ])
      expect(await failure(url)).toMatchObject({ key: 'platform_failed' });
    origin.handle = (_request, response) => response.writeHead(302, { location: 'https://10.0.0.1/' }).end();
    expect(await failure()).toMatchObject({ key: 'platform_failed' });
    expect(proxy.asked).toEqual([`${testHosts.page}:443`]);
  });

  it('is closed at once with the network', async () => {
    const proxy = await open(start());
    proxy.mood = 'silent';
    const answer = failure();
    await until(() => proxy.open === 1);
    await network.close();
    await answer;
    await until(() => proxy.open === 0);
    expect(unreachable).toEqual([]);
  });
});

it('connects to an https proxy by TLS, and checks its name', async () => {
  const certificate = await makeCertificate(['localhost']);
  const proxy = await startHttpProxy({ credentials, route }, certificate);
  proxies = [proxy];
  const [egress] = parseOutboundProxies(proxy.url.replace('127.0.0.1', 'localhost'));
  const [wrongName] = parseOutboundProxies(proxy.url);
  openWays([egress, wrongName] as OutboundProxy[], `${origin.ca}\n${certificate.cert}`);
  expect(await text()).toBe(testHosts.page);
  expect(await failure(undefined, wrongName?.id)).toMatchObject({ key: 'platform_failed' });
  expect(unreachable.map((one) => one.egress)).toEqual([wrongName?.id]);
});

it('sends each request through the egress that it names, and no other', async () => {
  await open(startHttpProxy({ route }), startSocksProxy({ route }));
  const [http, socks] = proxies;
  await text(egresses[1]?.id);
  expect([http?.asked.length, socks?.asked.length]).toEqual([0, 1]);
  await text(egresses[0]?.id);
  expect([http?.asked.length, socks?.asked.length]).toEqual([1, 1]);
});

it('never replaces a missing egress: media are then requested again', async () => {
  const proxy = await open(startHttpProxy({ route }));
  for (const egress of ['gone', undefined]) {
    const source = { urls: [`https://${testHosts.media}/a`], headers: {}, expiresAt: 0, egress };
    await expect(network.openMedia({ source, start: 0, end: null, signal })).rejects.toMatchObject({
      key: 'media_unavailable',
      cause: { refused: true },
    });
  }
  expect(proxy.asked).toEqual([]);
});

it('also requests media again when their address names an egress and there is none', async () => {
  network = testNetwork(origin);
  const source = { urls: [`https://${testHosts.media}/a`], headers: {}, expiresAt: 0, egress: 'gone' };
  await expect(network.openMedia({ source, start: 0, end: null, signal })).rejects.toMatchObject({
    key: 'media_unavailable',
    cause: { refused: true },
  });
});
