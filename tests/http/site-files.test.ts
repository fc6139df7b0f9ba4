import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => product.stop());

async function read(path: string) {
  const response = await fetch(product.origin + path);
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

const locations = (xml: string) =>
  [...xml.matchAll(/<loc>https:\/\/clipferry\.example([^<]*)<\/loc>/g)].map(([, path = '']) => path);

test('the sitemap’s parts name existing pages, each with all its languages', async () => {
  const index = await read('/sitemap.xml');
  expect([index.status, index.type]).toEqual([200, 'application/xml; charset=utf-8']);
  const parts = locations(index.text);
  expect(parts).toContain('/sitemap-pages-1.xml');
  const pages = await read('/sitemap-pages-1.xml');
  const paths = locations(pages.text);
  expect(paths).toContain('/');
  expect(paths).toContain('/ar/tiktok-downloader');
  expect(paths.some((path) => path.includes('404') || path.includes('new1'))).toBe(false);
  expect(new Set(paths).size).toBe(paths.length);
  for (const [, entry = ''] of pages.text.matchAll(/<url>(.*)<\/url>/g))
    expect(entry.match(/hreflang="(?:en|ar|tr|x-default)"/g)?.length).toBeGreaterThanOrEqual(2);
  // The home page in all languages, and in the audit those in English; `npm run audit:site` requests every page.
  const homes = /^\/(?:[a-z]{2})?$/;
  const english = /^\/[a-z-]{3,}/;
  const asked = paths.filter((path) => homes.test(path) || (isAudit && english.test(path)));
  expect(asked.length).toBeGreaterThan(20);
  for (const path of asked) expect([path, (await read(path)).status]).toEqual([path, 200]);
});

test('every part exists, and no other', async () => {
  for (const path of locations((await read('/sitemap.xml')).text))
    expect((await read(path)).text).toMatch(/^<\?xml [\s\S]*<urlset [\s\S]*<\/urlset>\n$/);
  for (const path of [
    '/sitemap-pages-0.xml',
    '/sitemap-pages-01.xml',
    '/sitemap-pages-2.xml',
    '/sitemap-none-1.xml',
    '/sitemap-pages.xml',
  ])
    expect([path, (await read(path)).status]).toEqual([path, 404]);
});

test.each(['/sitemap.xml', '/feed.xml', '/de/atom.xml', '/feed.json', '/robots.txt', '/api/openapi.json'])(
  '%s is compressed, and sent only once to a client that has it',
  async (path) => {
    const request = (headers: Record<string, string>) => fetch(product.origin + path, { headers });
    const plain = await request({ 'accept-encoding': 'identity' });
    const packed = await request({ 'accept-encoding': 'br' });
    const text = await plain.text();
    expect(await packed.text()).toBe(text);
    expect(packed.headers.get('content-encoding')).toBe(text.length < 800 ? null : 'br');
    expect(plain.headers.get('content-encoding')).toBeNull();
    for (const [answer, encoding] of [
      [plain, 'identity'],
      [packed, 'br'],
    ] as const) {
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      for (const [name, value, status] of [
        ['if-none-match', etag, 304],
        ['if-none-match', `${'"x", '.repeat(1000)}W/${etag}`, 304],
        ['if-none-match', '*', 304],
        ['if-none-match', '"x"', 200],
        ['if-match', etag, 200],
        ['if-match', '*', 200],
        ['if-match', `W/${etag}`, 412],
        ['if-match', '"x"', 412],
      ] as const)
        expect([
          name,
          value.slice(0, 40),
          (await request({ 'accept-encoding': encoding, [name]: value })).status,
        ]).toEqual([name, value.slice(0, 40), status]);
    }
  },
);

test('a part of the sitemap has the encoding that a client accepts, and is sent only once to a client that has it', async () => {
  const request = (headers: Record<string, string>) =>
    rawRequest(product.origin, '/sitemap-pages-1.xml', { headers });
  const plain = await request({});
  for (const [accepted, encoding] of [
    ['br', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
  ] as const) {
    const answer = await request({ 'accept-encoding': accepted });
    const { etag = '', 'content-encoding': sent } = answer.headers;
    expect([accepted, sent]).toEqual([accepted, encoding]);
    const unpacked = sent === 'gzip' ? gunzipSync(answer.body) : answer.body;
    expect(unpacked.equals(plain.body)).toBe(true);
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(etag === plain.headers.etag).toBe(encoding === undefined);
    const again = await request({ 'accept-encoding': accepted, 'if-none-match': String(etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  }
});

/** Files written out in code, of which one stands for the rest, and a picture. */
const costly = ['/sitemap.xml', '/feed.xml', '/api/openapi.json', '/share/en.png'];

test.each(sample(costly, (path) => path === '/sitemap.xml'))(
  'refuses endless requests for %s for a while',
  async (path) => {
    const headers = { 'x-forwarded-for': `203.0.113.${path.length}` };
    const statuses = new Set<number>();
    for (let n = 0; n < 15; n += 1) {
      const answers = await Promise.all(
        Array.from({ length: 24 }, () => rawRequest(product.origin, path, { headers })),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([200, 429]);
    expect((await fetch(product.origin + path)).status).toBe(200);
  },
);

test('redirects a language’s feed under the base /tr to its place', async () => {
  const moved = await fetch(`${product.origin}/tr/de/feed.xml?page=1`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/de/feed.xml?page=1']);
  expect((await read('/tr/feed.xml')).status).toBe(200);
});

test('robots.txt leads to the sitemap', async () => {
  const { text, type } = await read('/robots.txt');
  expect(type).toBe('text/plain; charset=utf-8');
  expect(text).toContain('Sitemap: https://clipferry.example/sitemap.xml');
  expect(text).not.toMatch(/^Disallow: \/$/m);
});

test('security.txt has what RFC 9116 requires, and has not expired', async () => {
  const { text } = await read('/.well-known/security.txt');
  expect(text).toContain('Contact: https://clipferry.example/contact\n');
  const [, expires = ''] = /^Expires: (.*)$/m.exec(text) ?? [];
  expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 100 * 86_400_000);
  expect(Date.parse(expires)).toBeLessThan(Date.now() + 365 * 86_400_000);
});

test('humans.txt names the site; ads.txt says that nobody sells', async () => {
  expect((await read('/humans.txt')).text).toContain('Name: clipferry.example');
  expect((await read('/ads.txt')).text).toBe('placeholder.example.com, placeholder, DIRECT, placeholder\n');
});
