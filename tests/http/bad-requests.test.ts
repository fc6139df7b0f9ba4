import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabasePlace, engines } from '../../src/stores/contracts/testing/services/databases.ts';
import { importOneArticle } from '../support/articles.ts';
import { isAudit } from '../support/audit/scope.ts';
import { operatorPassword, visitDesk } from '../support/desk.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { siteFile } from '../support/site-file.ts';

// PostgreSQL, if a server responds, refuses texts that SQLite accepts.
const [engine] = engines.slice(-1);
let product: RunningProduct;
let place: DatabasePlace;
beforeAll(async () => {
  if (engine === undefined) throw new Error('There is no database');
  place = await engine.makePlace();
  await importOneArticle(place.environment);
  const { DATA_DIR, ...env } = place.environment;
  product = await startProduct({
    env: {
      ...{ SITE_CONFIG: siteFile({ statistics: true }), TRUST_PROXY: '127.0.0.1' },
      ...{ OPERATOR_PASSWORD: operatorPassword, ...env },
    },
    ...(DATA_DIR !== undefined && { dataFolder: DATA_DIR }),
  });
});
afterAll(async () => {
  await product.stop();
  await place.remove();
});

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
    ['multipart/form-data', 'x', 400, 'Bu istekte bir yanlışlık vardı.'],
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

const controlCharacters = fc
  .oneof(fc.constant(0), fc.integer({ min: 0, max: 0x1f }), fc.integer({ min: 0x7f, max: 0x9f }))
  .map((code) => String.fromCharCode(code));
/** Requests with a value from the visitor, each with a place for a text in its path, query, cookie or body. */
const places: readonly ((text: string) => readonly [string, string, Record<string, string>?, string?])[] = [
  ...[
    '/author/',
    '/de/author/',
    '/posts/',
    '/view-articles/',
    '/',
    '/de/',
    '/share/de/',
    '/pictures/',
    '/search/',
  ].map((path) => (text: string) => ['GET', path + encodeURIComponent(text)] as const),
  ...['/api/files/', '/api/pictures/', '/feed-', '/sitemap-'].map(
    (path) => (text: string) => ['GET', path + encodeURIComponent(text)] as const,
  ),
  (text) => ['GET', `/author/${encodeURIComponent(text)}.data`],
  (text) => ['GET', `/author/editors/${encodeURIComponent(text)}`],
  ...[
    '/posts?page=',
    '/posts?category=',
    '/?url=',
    '/contact?to=',
    '/category/list?language=',
    '/api/state?path=/',
  ].map((path) => (text: string) => ['GET', path + encodeURIComponent(text)] as const),
  (text) => ['GET', `/cookie_set?name=category_page&value=${encodeURIComponent(text)}`],
  (text) => [
    'GET',
    '/',
    { cookie: `token_id=${encodeURIComponent(text)}; sidebarAB=${encodeURIComponent(text)}` },
  ],
  (text) => [
    'POST',
    '/consent',
    { 'content-type': form, cookie: `token_id=${encodeURIComponent(text)}` },
    'answer=none',
  ],
  ...['/api/web/report', '/index.php/sub/register', '/api/resolve', '/api/contact'].map(
    (path) => (text: string) =>
      [
        'POST',
        path,
        { 'content-type': 'application/json', cookie: 'consent=1.11' },
        JSON.stringify({ url: text, name: text, email: text, token_id: text, [text]: text }),
      ] as const,
  ),
  (text) => [
    'DELETE',
    '/api/web/report',
    { 'content-type': 'application/json' },
    JSON.stringify({ token_id: text }),
  ],
  (text) => ['DELETE', `/api/web/report?token_id=${encodeURIComponent(text)}`],
];

test('refuses a control character wherever a visitor names something', async () => {
  let requested = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.constantFrom('', 'a', 'editors', 'a-name-1234'),
      controlCharacters,
      fc.constantFrom('', 'a'),
      async (place, before, control, after) => {
        const [method, target, headers = {}, body] = place(before + control + after);
        requested += 1;
        const answer = await rawRequest(product.origin, target, {
          method,
          headers: {
            'user-agent': 'Mozilla/5.0 Firefox/140.0',
            'x-forwarded-for': `10.${requested >> 8}.${requested & 255}.1`,
            ...headers,
          },
          ...(body !== undefined && { body }),
        });
        expect(answer.status).toBeLessThan(500);
      },
    ),
    {
      numRuns: isAudit ? 400 : 100,
      examples: places.map((place) => [place, '', '\0', ''] as const) as never,
    },
  );
  expect(product.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

describe('U+0000', () => {
  const sameOrigin = { 'sec-fetch-site': 'same-origin' };
  const namesIn = (html: string) =>
    new Set([...html.matchAll(/(?:\bname="|[?&;])([a-zA-Z-]+)(?:"|=)/g)].map(([, name = '']) => name));

  test('reaches nothing from any page or form of the desk', async () => {
    const desk = visitDesk({ get: (path, init) => fetch(product.origin + path, init) });
    expect((await desk.logIn()).status).toBe(303);
    const first = await desk.read('/operator/log');
    const pages = new Set([...first.matchAll(/href="(\/operator\/[a-z-]+)"/g)].map(([, page = '']) => page));
    expect(pages.size).toBeGreaterThan(8);
    let forms = 0;
    for (const page of pages) {
      const html = await desk.read(page);
      const query = [...namesIn(html), 'find', 'before', 'after', 'entry'].map((name) => `${name}=%00a`);
      for (const address of [`${page}?${query.join('&')}`, `${page}/%00`, `${page}/a%00/en`])
        expect([address, (await desk.request(address)).status < 500]).toEqual([address, true]);
      const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? [];
      for (const [form] of html.matchAll(/<form[^>]*method="post".*?<\/form>/gis)) {
        const path = /action="([^"]*)"/.exec(form)?.[1] || page;
        const [, deed = ''] = /name="deed"[^>]*value="([^"]+)"/.exec(form) ?? [];
        for (const name of new Set([...namesIn(form), 'deed', 'other'])) {
          if (name === 'token') continue;
          const fields = new URLSearchParams({ token, deed, [name]: 'a\0b' });
          const sent = await desk.request(path, { method: 'POST', headers: sameOrigin, body: fields });
          expect([path, deed, name, sent.status]).toEqual([path, deed, name, 400]);
          forms += 1;
        }
      }
    }
    expect(forms).toBeGreaterThan(8);
    // Other control characters are left out.
    const opened = await desk.send('/operator/incidents', 'open', { text: 'Slow\u001b[31m\nnow' });
    expect(opened.status).toBe(303);
    expect(opened.html).toContain('Slow[31m\nnow');
    const odd = await desk.send('/operator/promotions', 'off', { kind: 'dancers' });
    expect([odd.status, odd.notice]).toEqual([
      422,
      'Nothing was done: what the form says for &quot;kind&quot; is none of its values.',
    ]);
  });

  test('reaches nothing by any call of the API', async () => {
    const { paths } = await (await fetch(`${product.origin}/api/openapi.json`)).json();
    const calls = Object.entries(
      paths as Record<string, Record<string, { parameters?: { name: string }[] }>>,
    );
    expect(calls.length).toBeGreaterThan(5);
    for (const [path, methods] of calls)
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const names = parameters.map(({ name }) => name);
        const target = path.replace(/\{[^}]+\}/g, '%00');
        const query = [...names, 'locale'].map((name) => `${name}=a%00`).join('&');
        const hasBody = ['post', 'put', 'patch', 'delete'].includes(method);
        const answer = await rawRequest(product.origin, `${target}?${query}`, {
          method: method.toUpperCase(),
          headers: hasBody ? { 'content-type': 'application/json' } : {},
          ...(hasBody && { body: JSON.stringify({ url: 'a\0', '\0': 1 }) }),
        });
        expect([method, path, answer.status < 500]).toEqual([method, path, true]);
      }
  });
});

test.each(['/author/%00', '/de/author/%1b', '/author/a%0ab/2', '/tr/author/%c2%85'])(
  '%s names no page, with or without its document',
  async (path) => {
    for (const target of [path, `${path}.data`])
      expect([target, (await rawRequest(product.origin, target)).status]).toEqual([target, 404]);
  },
);

test('an unknown cookie does not prevent the caching of a refusal', async () => {
  const { status, headers } = await rawRequest(product.origin, '/consent', {
    method: 'POST',
    headers: { 'content-type': form, cookie: 'token_id=%00' },
    body: 'answer=none',
  });
  expect([status, String(headers['set-cookie'])]).toEqual([303, expect.stringContaining('consent=1.00')]);
});

test('refuses reports with control characters by their place', async () => {
  const report = (data: object) => ({
    upload_id: randomUUID(),
    mode: 'event',
    data: { event: 'share', ...data },
  });
  for (const [body, field] of [
    [report({ event_label: 'a\0' }), 'data.event_label'],
    [[report({}), report({ install: { pid: '\u009b' } })], '1.data.install.pid'],
    [report({ pids: ['a', '\n'] }), 'data.pids.1'],
    [report({ ga_ids: { 'a\0': 1 } }), 'data.ga_ids'],
  ] as const) {
    const answer = await rawRequest(product.origin, '/api/web/report', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'consent=1.11' },
      body: JSON.stringify(body),
    });
    expect([answer.status, JSON.parse(String(answer.body)).error.field]).toEqual([400, field]);
  }
});
