import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HttpVersion, PlatformNetwork, TextRequest } from './contracts.ts';
import { makeCertificate, type ThrowAwayCertificate } from './testing/certificate.ts';
import { cutOff, type Origin, startOrigin, testHosts, testNetwork, until } from './testing/origin.ts';

let origin: Origin;
let network: PlatformNetwork;

beforeEach(async () => {
  origin = await startOrigin();
  network = testNetwork(origin, patient);
});
afterEach(async () => {
  await network.close();
  await until(() => origin.open.size === 0);
  await origin.close();
});

/** For tests that are not about waiting. */
const patient = { timeouts: { connectMs: 5000, headersMs: 5000, textMs: 10_000 } };

const page = (http?: HttpVersion): TextRequest => ({
  ...{ url: `https://${testHosts.page}/`, hosts: 'x/page', maxBytes: 100_000, maxRedirects: 0 },
  ...(http && { http }),
  signal: new AbortController().signal,
});

/** A host with its own idea of ALPN: agrees on the first protocol that both know, and speaks what `speak` does. */
async function startHost(protocols: readonly string[], speak: (socket: TLSSocket) => void) {
  const certificate: ThrowAwayCertificate = await makeCertificate(Object.values(testHosts));
  const open = new Set<Socket>();
  let connections = 0;
  const server = createTlsServer({ ...certificate, ALPNProtocols: [...protocols] }, (socket) => {
    connections += 1;
    socket.on('error', () => {});
    speak(socket);
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await network.close();
  network = testNetwork(origin, { loopback: { ca: certificate.cert, portOf: () => port } });
  return {
    get connections() {
      return connections;
    },
    async close() {
      await network.close();
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const speaksHttp1 = (socket: TLSSocket) =>
  socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'));

/** The first frame of an HTTP/2 server (RFC 9113, 3.4). */
const emptySettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

it('speaks the version that the request names, 1.1 when it names none', async () => {
  origin.handle = (request, response) => response.end(request.httpVersion);
  for (const [asked, spoken] of [
    [undefined, '1.1'],
    ['1.1', '1.1'],
    ['2', '2.0'],
  ] as const) {
    const { body, http } = await network.fetchText(page(asked));
    expect([body.toString(), http]).toEqual([spoken, asked ?? '1.1']);
  }
});

it('takes HTTP/1.1 from a host that speaks no other, and says so', async () => {
  const host = await startHost(['http/1.1'], speaksHttp1);
  expect(await network.fetchText(page('2'))).toMatchObject({ http: '1.1', body: Buffer.from('hi') });
  await host.close();
});

it('opens one connection for requests at once, and a second one beside many streams', async () => {
  let waiting: (() => void)[] = [];
  origin.handle = (_request, response) => {
    waiting.push(() => response.end('x'));
  };
  const answers = Promise.all(Array.from({ length: 150 }, () => network.fetchText(page('2'))));
  await until(() => waiting.length === 150);
  expect(origin.connections).toBe(2);
  for (const answer of waiting) answer();
  waiting = [];
  expect((await answers).every(({ http }) => http === '2')).toBe(true);
});

it('gives up one answer without the others of its connection', async () => {
  const left = new AbortController();
  const waiting: (() => void)[] = [];
  origin.handle = (request, response) => {
    if (request.url === '/endless') response.write('x'.repeat(100_001));
    else waiting.push(() => response.end('kept'));
  };
  const kept = network.fetchText(page('2'));
  const abandoned = network.fetchText({ ...page('2'), signal: left.signal });
  await until(() => waiting.length === 2);
  const tooLong = network.fetchText({ ...page('2'), url: `https://${testHosts.page}/endless` });
  await expect(tooLong).rejects.toMatchObject({ key: 'platform_failed' });
  left.abort(new Error('left'));
  await expect(abandoned).rejects.toThrow('left');
  waiting[0]?.();
  expect((await kept).body.toString()).toBe('kept');
  expect(origin.connections).toBe(1);
});

it('sends a request again when its connection ends at that moment', async () => {
  let requests = 0;
  origin.handle = (_request, response) => {
    requests += 1;
    if (requests === 1) cutOff(response);
    else response.end('x');
  };
  expect((await network.fetchText(page('2'))).body.toString()).toBe('x');
  expect(origin.connections).toBe(2);
});

it.each([
  ['agrees on HTTP/2 and speaks 1.1', ['h2'], '2', speaksHttp1],
  ['agrees on HTTP/2 and says nothing', ['h2'], '2', () => {}],
  ['agrees on HTTP/2 and leaves', ['h2'], '2', (socket) => socket.destroy()],
  [
    'agrees on HTTP/1.1 and speaks 2',
    ['http/1.1'],
    '2',
    (socket) => socket.on('data', () => socket.write(emptySettings)),
  ],
  ['knows neither', ['spdy/1'], '2', speaksHttp1],
  ['knows HTTP/2 alone where 1.1 is offered', ['h2'], '1.1', speaksHttp1],
] as [string, string[], HttpVersion, (socket: TLSSocket) => void][])(
  'a host that %s has failed, after few connections and in time',
  async (_name, protocols, http, speak) => {
    const host = await startHost(protocols, speak);
    const failure = await network.fetchText(page(http)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ key: expect.stringMatching(/^platform_(failed|timeout)$/) });
    expect(host.connections).toBeLessThanOrEqual(2);
    await host.close();
  },
);

it.each([
  ['1.1', 3],
  ['2', 20],
] as const)('gives up an HTTP/%s answer with cookies of %i times 8 kB', async (http, count) => {
  const cookies = (many: number) => Array.from({ length: many }, (_, n) => `a${n}=${'x'.repeat(8000)}`);
  origin.handle = (_request, response) => {
    response.setHeader('set-cookie', cookies(count));
    response.end('x');
  };
  await expect(network.fetchText(page(http))).rejects.toMatchObject({ key: 'platform_failed' });
  origin.handle = (_request, response) => {
    response.setHeader('set-cookie', cookies(1));
    response.end('x');
  };
  expect((await network.fetchText(page(http))).setCookies).toHaveLength(1);
});
