import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';

let product: RunningProduct;
beforeAll(async () => {
  const env = { TRUST_PROXY: '127.0.0.1', SITE_CONFIG: siteFile(twoExperiments) };
  product = await startProduct({ env });
});
afterAll(() => product.stop());

const request = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(product.origin, target, { method, headers: { 'accept-encoding': 'br', ...headers } });
const linesOf = (id: unknown) => product.log().filter(({ reqId }) => reqId === id);

test('each request for a cached page counts as one in the steps, the counters and the log, however it is answered', async () => {
  const first = await request('/api');
  const counted = () =>
    Promise.all([
      product.metric('clipferry_page_cache_total', { result: 'hit' }),
      product.metric('clipferry_requests_total', { route: '/*' }),
      product.metric('clipferry_request_seconds_count', { route: '/*' }),
    ]);
  const [hits = 0, requests = 0, times = 0] = await counted();
  const answers = [
    await request('/api'),
    await request('/api', { 'if-none-match': String(first.headers.etag) }),
    await request('/api', { 'accept-encoding': 'identity' }),
    await request('/api', {}, 'HEAD'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 304, 200, 200]);
  expect(answers.map(({ headers }) => [headers['set-cookie'] ?? []].flat().length)).toEqual([2, 2, 2, 0]);
  expect(await counted()).toEqual([hits + 4, requests + 4, times + 4]);
  for (const { status, headers } of answers) {
    const lines = () => linesOf(headers['x-request-id']);
    await expect.poll(lines).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ level: 30, msg: 'request', path: '/api', status, cache: 'hit' });
  }
});

test('a known page is answered with the same headers and body as the first time', async () => {
  const [first, again] = [await request('/contact'), await request('/contact')];
  const ofConnection = /^(?:date|x-request-id|connection|keep-alive|transfer-encoding|set-cookie)$/;
  const headersOf = ({ headers }: typeof first) =>
    Object.entries(headers).filter(([name]) => !ofConnection.test(name));
  expect(headersOf(again).toSorted()).toEqual(headersOf(first).toSorted());
  expect(again.body.equals(first.body)).toBe(true);
  const { headers } = await request('/contact', { 'if-none-match': String(first.headers.etag) });
  const bytes = ['content-encoding', 'content-length'];
  expect(Object.keys(headers).toSorted()).toEqual(
    Object.keys(again.headers)
      .filter((name) => !bytes.includes(name))
      .toSorted(),
  );
});

test('conditional requests for a known page get a conditional answer', async () => {
  await request('/dmca');
  const { headers } = await request('/dmca');
  const etag = String(headers.etag);
  for (const [name, value, status] of [
    ['if-none-match', '*', 304],
    ['if-none-match', `${'"x", '.repeat(1000)}${etag}`, 304],
    ['if-none-match', '"x"', 200],
    ['if-match', '"x"', 412],
    ['if-match', etag, 200],
  ] as const)
    for (const method of ['GET', 'HEAD'])
      expect([name, (await request('/dmca', { [name]: value }, method)).status]).toEqual([name, status]);
});

test('what a trusted proxy says about a request counts each time', async () => {
  const plain = await request('/author');
  const tls = await request('/author', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' });
  expect(plain.headers['strict-transport-security']).toBeUndefined();
  expect(tls.headers['strict-transport-security']).toBe('max-age=31536000');
  for (const cookie of [tls.headers['set-cookie'] ?? []].flat()) expect(cookie).toContain('; Secure');
  const moved = await request('/author', { 'x-forwarded-host': 'www.clipferry.example' });
  expect([moved.status, moved.headers.location]).toEqual([301, 'https://clipferry.example/author']);
  const visitors = () =>
    [plain, tls].flatMap(({ headers }) => linesOf(headers['x-request-id']).map(({ visitor }) => visitor));
  await expect.poll(visitors).toHaveLength(2);
  expect(new Set(visitors()).size).toBe(2);
});

test('another method at an endpoint does not affect the endpoint', async () => {
  expect((await request('/healthz', {}, 'POST')).status).toBe(405);
  const sought = await product.metric('clipferry_page_cache_total');
  const health = await request('/healthz');
  expect([health.status, String(health.body)]).toEqual([200, 'alive\n']);
  expect(await product.metric('clipferry_page_cache_total')).toBe(sought);
});

test('answers a request that announces a body and has none', async () => {
  const { hostname, port } = new URL(product.origin);
  const statuses = ['/api/resolve', '/contact'].map(async (path) => {
    const socket = connect(Number(port), hostname);
    const type = 'Content-Type: application/x-www-form-urlencoded';
    socket.write(`POST ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n${type}\r\n\r\n`);
    return (await text(socket)).split(' ', 2)[1];
  });
  expect(await Promise.all(statuses)).toEqual(['415', '422']);
});
