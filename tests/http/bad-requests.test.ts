import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import type { RunningProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { startStrictProduct } from '../support/strict-product.ts';

let product: RunningProduct;
beforeAll(async () => {
  product = await startStrictProduct();
});
afterAll(() => product.stop());

const isTurkishScreen = (html: string) => {
  expect(html).toContain('<html lang="tr" dir="ltr"');
  expect(html).toContain('href="/tr/contact"');
};

describe('a request that cannot be parsed shows a page that does not exist', () => {
  test.each(['/tr/%', '/tr/posts/%E0%A4%A', '/tr/author/%ff?x=%'])('%s', async (target) => {
    const { status, headers, body } = await rawRequest(product.origin, target);
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    isTurkishScreen(String(body));
    expect(String(body)).toContain('<title>404</title>');
  });

  test.each(['%0a', 'a%0Db', '%e2%80%a8', 'nothing/%E2%80%A9', 'contact%0a'])('/tr/%s', async (page) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, body } = await rawRequest(product.origin, `/tr/${page}`, { method });
      expect([method, status]).toEqual([method, 404]);
      if (method !== 'HEAD') isTurkishScreen(String(body));
    }
  });
});

const form = 'application/x-www-form-urlencoded';
const tooMuch = new URLSearchParams({ url: 'a'.repeat(300_000) }).toString();

describe('the page of a form answers one that cannot be parsed', () => {
  test.each([
    ['multipart/form-data', 'x', 400, 'Bu istekte bir sorun vardı.'],
    ['text/plain', 'x', 415, 'Bu formattaki içeriği okuyamıyoruz.'],
    ['application/json', '{"url":"x"}', 415, 'Bu formattaki içeriği okuyamıyoruz.'],
    [form, tooMuch, 413, 'Bu metin fazla uzun. Lütfen kısaltıp yeniden deneyin.'],
  ])('%s', async (type, body, status, message) => {
    for (const path of ['/tr/contact', '/tr/dmca', '/tr', '/tr/tiktok-downloader']) {
      const response = await fetch(product.origin + path, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      const html = await response.text();
      expect([path, response.status]).toEqual([path, status]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      isTurkishScreen(html);
      expect(html).toContain(message);
      expect(html).toMatch(/<form[^>]* class="(?:link-box|card message-form)"/);
    }
  });
});

test.each(['/', '/?page=2', '//', '/?index'])(
  'a form sent to %s belongs to the home page',
  async (target) => {
    const headers = { 'content-type': form };
    const { status, body } = await rawRequest(product.origin, target, {
      method: 'POST',
      headers,
      body: 'url=x',
    });
    expect(status).toBe(400);
    expect(String(body)).toContain('id="tool-failure"');
  },
);

test('leaves meaningful encodings unchanged', async () => {
  const { status, headers } = await rawRequest(product.origin, '/en/%C3%A9?x=%');
  expect([status, headers.location]).toEqual([301, '/%C3%A9?x=%']);
});

test('refuses a form that nobody reads in the frame of the page, in its language', async () => {
  const response = await fetch(`${product.origin}/tr/privacy-policy`, {
    method: 'POST',
    body: new URLSearchParams({ a: 'b' }),
  });
  expect(response.status).toBe(405);
  isTurkishScreen(await response.text());
});

test.each(['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'QUERY'])('%s does not affect a page', async (method) => {
  for (const path of ['/contact', '/cookie_set']) {
    const { status, headers, body } = await rawRequest(product.origin, path, { method });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, HEAD, POST');
    expect(JSON.parse(String(body))).toMatchObject({ code: 405, error: { key: 'method_not_allowed' } });
  }
});

test.each([
  ['GET', '/api/resolve', 'POST'],
  ['DELETE', '/api/resolve', 'POST'],
  ['GET', '/api/contact', 'POST'],
  ['POST', '/api/files/x', 'GET, HEAD'],
  ['POST', '/api/files/x/status', 'DELETE, GET, HEAD'],
  ['PUT', '/api/openapi.json', 'GET, HEAD'],
  ['POST', '/robots.txt', 'GET, HEAD'],
  ['POST', '/favicon.svg', 'GET, HEAD'],
  ['POST', '/healthz', 'GET, HEAD'],
  ['POST', '/sitemap-pages-1.xml', 'GET, HEAD'],
])('refuses %s %s with what the address accepts', async (method, path, allow) => {
  const headers = { 'accept-language': 'tr', 'content-type': 'text/plain' };
  const body = method === 'POST' || method === 'PUT' ? { body: 'x' } : {};
  const refused = await rawRequest(product.origin, path, { method, headers, ...body });
  expect([refused.status, refused.headers.allow]).toEqual([405, allow]);
  expect(JSON.parse(String(refused.body))).toEqual({
    code: 405,
    error: { key: 'method_not_allowed', message: 'Bu adres bu tür istekleri kabul etmiyor.' },
  });
  const requested = await rawRequest(product.origin, path, { method: 'OPTIONS' });
  expect([requested.status, requested.headers.allow]).toEqual([204, allow]);
});

test('everything below /api/ is JSON, also what does not exist', async () => {
  for (const path of ['/api/nothing', '/api/a%0ab', '/api//resolve', `/api/files/${'x'.repeat(300)}`]) {
    const { status, headers, body } = await rawRequest(product.origin, path, {
      headers: { accept: 'application/json' },
    });
    expect([path, status]).toEqual([path, 404]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(String(body))).toMatchObject({ code: 404, error: { message: expect.any(String) } });
  }
  for (const page of ['/api', '/api/', '/tr/api'])
    expect((await rawRequest(product.origin, page)).headers['content-type']).toContain('text/html');
});

test('errors of the framework keep their status', async () => {
  const range = await rawRequest(product.origin, '/favicon.svg', { headers: { range: 'bytes=99999-' } });
  expect([range.status, range.headers['content-range']]).toEqual([
    416,
    expect.stringMatching(/^bytes \*\/\d+$/),
  ]);
  expect(JSON.parse(String(range.body)).error.key).toBe('range_unsatisfiable');
  for (const [type, status, key] of [
    ['text/plain', 415, 'media_type_unsupported'],
    [form, 415, 'media_type_unsupported'],
    ['application/json', 400, 'request_invalid'],
  ] as const) {
    const headers = { 'content-type': type };
    const answer = await rawRequest(product.origin, '/api/resolve', { method: 'POST', headers, body: '{' });
    expect([type, answer.status, JSON.parse(String(answer.body)).error.key]).toEqual([type, status, key]);
  }
});

test.each([
  ['GARBAGE\r\n\r\n', 400, 'request_invalid'],
  [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
])('refuses bytes that are not a request in the same form: %#', async (bytes, status, key) => {
  const { hostname, port } = new URL(product.origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toMatchObject({ code: status, error: { key } });
});

const oddSegments = fc.oneof(
  fc.constantFrom(
    'api',
    'de',
    'TR',
    'tr',
    'ph',
    'en',
    'posts',
    'author',
    'contact',
    'contact-new1',
    '404',
    'feed.xml',
    '_app',
    '%0a',
    '%0D',
    '%e2%80%a8',
    '%2f',
    '%5c',
    '..',
    '.',
    '',
    '%',
    '%00',
    '%25',
    '__manifest',
    '_.data',
    'x.data',
    'sitemap-pages-9.xml',
    'cookie_set',
    'healthz',
    'index.php',
    'constructor',
    '*',
    ':id',
    '(',
    '1',
  ),
  fc.string({ maxLength: 8 }).map((written) => encodeURIComponent(written.toWellFormed())),
);
const oddTargets = fc
  .tuple(
    fc.array(oddSegments, { maxLength: 4 }),
    fc.constantFrom('', '?', '?index', '?url=x', '?page=2', '?category=%0a', '?paths=/%0a&p=/', '?_routes=x'),
  )
  .map(([segments, query]) => `/${segments.join('/')}${query}`);

test('no request ends in an internal error, whatever is requested in whatever way', async () => {
  await fc.assert(
    fc.asyncProperty(
      oddTargets,
      fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'),
      fc.constantFrom(undefined, form, 'multipart/form-data', 'multipart/form-data; boundary=x', 'a/b', 'x'),
      async (target, method, type) => {
        const headers = type === undefined ? {} : { 'content-type': type };
        const body = method === 'POST' ? 'url=x' : undefined;
        const answer = await rawRequest(product.origin, target, {
          method,
          headers,
          ...(body !== undefined && { body }),
        });
        expect(answer.status).toBeLessThan(500);
        const responseText = String(answer.body);
        expect(responseText).not.toContain('"statusCode"');
        const isOfApi = /^\/api\/(?!(?:_\.data)?(?:\?|$))/.test(target);
        if (isOfApi && responseText !== '')
          expect(answer.headers['content-type']).toMatch(/^application\/json/);
      },
    ),
    { numRuns: isAudit ? 300 : 75 },
  );
  expect(product.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
