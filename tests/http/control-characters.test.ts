import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { visitDesk } from '../support/desk.ts';
import type { RunningProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { startStrictProduct } from '../support/strict-product.ts';

let product: RunningProduct;
beforeAll(async () => {
  product = await startStrictProduct();
});
afterAll(() => product.stop());

const form = 'application/x-www-form-urlencoded';

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
        const [, action = ''] = /name="action"[^>]*value="([^"]+)"/.exec(form) ?? [];
        for (const name of new Set([...namesIn(form), 'action', 'other'])) {
          if (name === 'token') continue;
          const fields = new URLSearchParams({ token, action, [name]: 'a\0b' });
          const sent = await desk.request(path, { method: 'POST', headers: sameOrigin, body: fields });
          expect([path, action, name, sent.status]).toEqual([path, action, name, 400]);
          forms += 1;
        }
      }
    }
    expect(forms).toBeGreaterThan(8);
    // Other control characters are left out.
    const opened = await desk.send('/operator/incidents', 'open', { text: 'Slow\u001b[31m\nnow' });
    expect(opened.status).toBe(303);
    expect(opened.html).toContain('Slow[31m\nnow');
    const odd = await desk.send('/operator/takedowns', 'lift', { kind: 'dancer', name: 'a' });
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
