import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ env: { SITE_ORIGIN: 'https://clipferry.example' } });
});
afterAll(() => product.stop());

const request = (target: string, headers: Record<string, string> = {}) =>
  rawRequest(product.origin, target, { headers });

test.each([
  ['/video-converter', 301, '/'],
  ['/video-downloader?source=a&x=%2F', 301, '/?source=a&x=%2F'],
  ['/ar/video-converter/', 301, '/ar'],
  ['/tr/ar/video-downloader', 301, '/ar'],
  ['/en/api?x=1', 301, '/api?x=1'],
  ['/tr/tr/api', 301, '/tr/api'],
  ['/AR/api', 301, '/ar/api'],
  ['/EN', 301, '/'],
  ['/Contact', 301, '/contact'],
  ['/AR/CONTACT?x=1', 301, '/ar/contact?x=1'],
  ['/EN/TikTok-Downloader', 301, '/tiktok-downloader'],
  ['/Video-Converter', 301, '/'],
  ['/Posts/GUIDES', 301, '/posts/guides'],
  ['/Author/Editorial-Team', 301, '/author/editorial-team'],
  ['/Save-TikTok-Video-iPhone', 301, '/save-tiktok-video-iphone'],
  ['/contact//', 301, '/contact'],
  ['//', 301, '/'],
  ['/de//contact', 301, '/de/contact'],
  ['//EN///Contact//', 301, '/contact'],
])('%s -> %i %s', async (target, status, location) => {
  const answer = await request(target);
  expect([answer.status, answer.headers.location]).toEqual([status, location]);
  expect(answer.headers['cache-control']).toBe('public, max-age=86400');
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test.each(['/Nothing', '/contact//more', '/AR/Nothing', '//nothing', '/posts//Nothing', '/author/NOBODY'])(
  '%s redirects nowhere, because the normalised page does not exist either',
  async (target) => {
    const { status, headers } = await request(target);
    expect([status, headers.location]).toEqual([404, undefined]);
  },
);

test.each([
  ['/EN/contact?x=1', '/contact?x=1'],
  ['/EN/Contact', '/contact'],
  ['/video-converter', '/'],
  ['/robots.txt', '/robots.txt'],
  ['/favicon.svg', '/favicon.svg'],
  ['/api/openapi.json?x=1', '/api/openapi.json?x=1'],
  ['/api/nothing', '/api/nothing'],
])('the www host redirects %s to its place in one step, however it is written', async (target, there) => {
  for (const host of ['www.clipferry.example', 'WWW.Clipferry.example:443', 'www.clipferry.example.']) {
    const moved = await request(target, { host });
    expect([moved.status, moved.headers.location]).toEqual([301, `https://clipferry.example${there}`]);
  }
});

test('redirects a form unchanged', async () => {
  for (const [target, host, location] of [
    ['/api/resolve', 'www.clipferry.example', 'https://clipferry.example/api/resolve'],
    ['/ar/contact', 'www.clipferry.example', 'https://clipferry.example/ar/contact'],
    ['/en/contact', 'clipferry.example', '/contact'],
  ] as const) {
    const headers = { host, 'content-type': 'application/json' };
    const moved = await rawRequest(product.origin, target, { method: 'POST', headers, body: '{}' });
    expect([moved.status, moved.headers.location]).toEqual([308, location]);
  }
});

test('answers health checks on any host', async () => {
  expect((await request('/healthz', { host: 'www.clipferry.example' })).status).toBe(200);
});

test('parses an absolute-form target, and uses its host', async () => {
  const page = await request('http://clipferry.example/ar/contact?x=1', { host: 'www.clipferry.example' });
  expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('<html lang="ar"')]);
  expect((await request('http://clipferry.example')).status).toBe(200);
  const moved = await request('http://www.clipferry.example/ar/contact', { host: 'clipferry.example' });
  expect([moved.status, moved.headers.location]).toEqual([301, 'https://clipferry.example/ar/contact']);
});

test('the www host redirects to the bare one, query included; no other host redirects', async () => {
  const moved = await request('/ar/api?x=1', { host: 'www.clipferry.example' });
  expect([moved.status, moved.headers.location]).toEqual([301, 'https://clipferry.example/ar/api?x=1']);
  for (const host of ['www.evil.example', 'evil.example', 'www.clipferry.example.evil.example'])
    expect((await request('/api', { host, 'x-forwarded-host': 'www.clipferry.example' })).status).toBe(200);
});

test('no cache in front stores a redirect for a host that only a proxy reported', {
  skip: !isAudit,
}, async () => {
  const behind = await startProduct({ env: { TRUST_PROXY: '127.0.0.1' } });
  const host = 'www.clipferry.example';
  for (const target of ['/contact', '/ar/Contact', '/sitemap.xml', '/favicon.svg']) {
    const asked = await rawRequest(behind.origin, target, { headers: { host } });
    expect([asked.status, asked.headers['cache-control']]).toEqual([301, 'public, max-age=86400']);
    const headers = { host: 'clipferry.example', 'x-forwarded-host': host };
    const answered = await rawRequest(behind.origin, target, { headers });
    expect([answered.status, answered.headers['cache-control']]).toEqual([301, 'no-store']);
  }
  await behind.stop();
});

describe('the language of the root path', () => {
  test('is the first one that the browser names', async () => {
    const answer = await request('/?source=x', { 'accept-language': 'ar-EG,ar;q=0.9,en;q=0.8' });
    expect([answer.status, answer.headers.location]).toEqual([302, '/ar?source=x']);
    expect(answer.headers.vary).toContain('Accept-Language');
    for (const other of ['en-GB,ar', 'zh-CN,ar', 'xx,ar'])
      expect((await request('/', { 'accept-language': other })).status).toBe(200);
    expect((await request('/api', { 'accept-language': 'ar' })).status).toBe(200);
    expect((await request('/_.data', { 'accept-language': 'ar' })).status).toBe(200);
  });

  test('is the one chosen in the switcher', async () => {
    const chosen = await request('/?x=1', { 'accept-language': 'de', cookie: 'lang=ar' });
    expect([chosen.status, chosen.headers.location]).toEqual([302, '/ar?x=1']);
    expect((await request('/ar', { 'accept-language': 'de', cookie: 'lang=fr' })).status).toBe(200);
  });

  test('never overrides a choice in the switcher', async () => {
    const chosen = await request('/cookie_set?name=lang&value=en&to=/');
    expect([chosen.status, chosen.headers.location]).toEqual([303, '/']);
    const [cookie = ''] = chosen.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^lang=en; Max-Age=31536000; Path=\/; /);
    const [pair = ''] = cookie.split(';');
    expect((await request('/', { 'accept-language': 'ar', cookie: pair })).status).toBe(200);
  });
});

test('cookies are bound to TLS on the public host', async () => {
  const there = await request('/cookie_set?name=lang&value=ar', { host: 'clipferry.example' });
  expect(there.headers['set-cookie']?.[0]).toContain('Secure');
  const here = await request('/cookie_set?name=lang&value=ar');
  expect([here.status, here.headers['set-cookie']?.[0]?.includes('Secure')]).toEqual([204, false]);
});

test('a form sets a cookie too; another site’s does not', async () => {
  const send = (headers: Record<string, string>) =>
    rawRequest(product.origin, '/cookie_set', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: 'name=lang&value=tr&to=%2Ftr%2Fapi',
    });
  const own = await send({ 'sec-fetch-site': 'same-origin' });
  expect([own.status, own.headers.location]).toEqual([303, '/tr/api']);
  const foreign = await send({ origin: 'https://evil.example' });
  expect([foreign.status, foreign.headers['set-cookie']]).toEqual([403, undefined]);
});

const elsewhere = ['evil.example', '/evil.example', '\\evil.example', '%2fevil.example', '%5cevil.example'];
const beginnings = [
  '/',
  '//',
  '/en/',
  '/en//',
  '/tr/tr//',
  '/EN/\\',
  '/%2f',
  '/.//',
  '/ph//',
  '/video-converter/..//',
];
const endings = ['', '/', '/..', '?to=//evil.example', '/video-converter', '/en'];
const targets = beginnings.flatMap((start) =>
  elsewhere.flatMap((host) => endings.map((end) => start + host + end)),
);

test('no address, host or query redirects to another site', async () => {
  expect(targets.length).toBeGreaterThan(200);
  const hosts = ['clipferry.example', 'www.clipferry.example', 'evil.example', 'www.evil.example'];
  // The audit tries every combination; a seventh of them has each beginning, host and ending.
  const tried = targets.filter((_, n) => isAudit || n % 7 === 0);
  const askAll = tried.flatMap((target, n) => [
    () => request(target, { host: hosts[n % hosts.length] ?? '', 'x-forwarded-host': 'evil.example' }),
    () => request(`/cookie_set?name=lang&value=ar&to=${encodeURIComponent(target)}`),
  ]);
  // Few enough at a time that none is refused because of the others.
  for (let from = 0; from < askAll.length; from += 20) {
    const answers = await Promise.all(askAll.slice(from, from + 20).map((one) => one()));
    for (const { status, headers } of answers) {
      expect(status).toBeLessThan(500);
      if (headers.location === undefined) continue;
      for (const page of ['https://clipferry.example/', 'https://clipferry.example/a/b'])
        expect(new URL(String(headers.location), page).origin).toBe('https://clipferry.example');
    }
  }
  for (const target of ['http://evil.example/', 'http://evil.example/en/api', '*', 'evil.example'])
    expect((await request(target)).headers.location ?? '/').toMatch(/^\/(?!\/)/);
});
