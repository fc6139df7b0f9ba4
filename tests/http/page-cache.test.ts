import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { type ProductOptions, type RunningProduct, startProduct } from '../support/product.ts';
import { type RawAnswer, rawRequest } from '../support/raw-request.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';

const secret = 'the secret of the operator';
let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({
    env: { CACHE_ADMIN_SECRET: secret, SITE_CONFIG: siteFile(twoExperiments) },
  });
});
afterAll(() => product.stop());
afterEach(() => administer('reset-cache'));

const request = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(product.origin, target, { headers, method });
const administer = (name: string, query = '') =>
  request(`/${name}?secret=${encodeURIComponent(secret)}${query}`);
const keys = async () =>
  String((await administer('cache-keys')).body)
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .filter(Boolean)
    .toSorted();
const results = async (result: string) => product.metric('clipferry_page_cache_total', { result });

function html({ headers, body }: RawAnswer): string {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
}

describe('a cached page', () => {
  test('is the same as the rendered one, in every encoding, and only its head for HEAD', async () => {
    const rendered = await request('/tiktok-downloader', { 'accept-encoding': 'br' });
    const hits = await results('hit');
    const forms = await Promise.all(
      ['br', 'gzip', 'identity'].map((one) => request('/tiktok-downloader', { 'accept-encoding': one })),
    );
    expect(await results('hit')).toBe(hits + 3);
    expect(forms.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(new Set(forms.map(html))).toEqual(new Set([html(rendered)]));
    expect(new Set(forms.map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers } of forms) {
      expect(headers['content-security-policy']).toBe(rendered.headers['content-security-policy']);
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(headers.vary).toBe('Accept-Encoding');
    }
    const head = await request('/tiktok-downloader', { 'accept-encoding': 'br' }, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(forms[0]?.body.length));
  });

  test('is not sent again to a visitor who has it', async () => {
    const first = await request('/api', { 'accept-encoding': 'br' });
    const etag = String(first.headers.etag);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await request('/api', { 'accept-encoding': 'br', 'if-none-match': known });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    }
    const other = await request('/api', { 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  test('goes to many at once, made once', async () => {
    const before = await results('miss');
    const answers = await Promise.all(Array.from({ length: 40 }, () => request('/tr/tiktok-downloader')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect((await results('miss')) - before).toBe(1);
  });

  test('keys contain the language, the device and the address', async () => {
    const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148' };
    for (const path of ['/', '/tr/ar/api', '/ar/api.data']) await request(path, phone);
    await request('/?source=mail&medium=x&utm_source=y');
    expect(await keys()).toEqual([
      'ar.mobile/ar/api.data',
      'ar.mobile/tr/ar/api',
      'en.desktop/',
      'en.mobile/',
    ]);
  });
});

describe('is never cached:', () => {
  test.each([
    '/no-such-page',
    '/?url=https://example.org',
    '/?text=x',
    '/tiktok-downloader?x=1&url=y',
    '/posts?category=guides',
    '/Tiktok-downloader',
    '/%74iktok-downloader',
    '/tiktok-downloader//',
    '/video-converter',
    '/checkout',
    '/my-account/x',
    '/__manifest',
    '/api.data?_routes=root',
  ])('%s', async (target) => {
    await request(target);
    expect(await keys()).toEqual([]);
  });

  test('the response to a form, or to another method', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const sent = await rawRequest(product.origin, '/', {
      method: 'POST',
      headers: form,
      body: 'url=nothing',
    });
    expect(sent.headers['cache-control']).toBe('no-store');
    expect((await request('/api', {}, 'OPTIONS')).status).toBe(204);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND'])
      expect((await request('/api', {}, method)).status).toBeGreaterThanOrEqual(400);
    expect(await keys()).toEqual([]);
  });

  test('a query that the page reads, however many there are', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => request(`/posts?category=${n}`)));
    expect(await keys()).toEqual([]);
  });
});

test('a query that no page reads makes no separate page', async () => {
  const [misses, hits] = [await results('miss'), await results('hit')];
  const plain = await request('/contact');
  for (const query of ['?q=1', '?page=99', '?url=https://example.org', '?category=guides', '?a=1&b=2']) {
    const answer = await request(`/contact${query}`);
    expect(answer.body.equals(plain.body)).toBe(true);
  }
  expect([await results('miss'), await results('hit')]).toEqual([misses + 1, hits + 5]);
  expect(await keys()).toEqual(['en.desktop/contact']);
});

test('unknown addresses get one page for each language, the same as rendered for them', async () => {
  const { other, stop } = await startWith(twoExperiments, { env: { PAGE_CACHE: '0' } });
  const renderings = await results('unknown');
  for (const [first, second] of [
    ['/nowhere', '/somewhere/else'],
    ['/tr/de/nowhere', '/de/gibt_es.nicht?x=1'],
  ] as const) {
    const [one, two, made] = [
      await request(first),
      await request(second),
      await rawRequest(other.origin, second),
    ];
    expect([one.status, two.status, made.status]).toEqual([404, 404, 404]);
    expect(one.headers['cache-control']).toBe('no-store');
    expect(html(one)).toBe(html(made));
    expect(html(two)).toBe(html(made));
    expect(one.headers['content-security-policy']).toBe(made.headers['content-security-policy']);
    expect(one.headers['content-language']).toBe(made.headers['content-language']);
  }
  expect(await results('unknown')).toBe(renderings + 4);
  // These have specific error screens, and the browser's router would match other routes there.
  for (const path of ['/posts/nowhere', '/xx/contact', '/%6eowhere', '/Contact'])
    expect(html(await request(path))).toBe(html(await rawRequest(other.origin, path)));
  expect(await results('unknown')).toBe(renderings + 4);
  await stop();
});

test('nothing of a request but its key reaches a cached page', async () => {
  const mark = 'poisoned-by-a-visitor';
  const poison: Record<string, string>[] = [
    { host: `${mark}.example` },
    { 'x-forwarded-host': `${mark}.example`, 'x-forwarded-proto': mark, 'x-forwarded-for': mark },
    {
      forwarded: `host=${mark}.example;proto=http`,
      'x-forwarded-port': '1',
      'x-forwarded-prefix': `/${mark}`,
    },
    { 'x-original-url': `/${mark}`, 'x-rewrite-url': `/${mark}`, 'x-http-method-override': 'POST' },
    { 'accept-language': `tr, ${mark}` },
    { cookie: `lang=tr; token=${mark}; sidebarAB=b; theme=${mark}; ${mark}=1` },
    { range: 'bytes=0-10', 'if-range': `"${mark}"` },
    { 'user-agent': mark, referer: `https://${mark}.example/`, origin: `https://${mark}.example` },
    { accept: `text/${mark}`, 'content-type': mark, 'accept-encoding': `identity, ${mark}` },
    { 'x-react-router-params': mark, 'x-remix-response': mark, 'x-request-id': mark, traceparent: mark },
    { 'if-none-match': `"${mark}"`, 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
  ];
  // The audit also tries the routes' data and a page in another language.
  const paths = sample(['/tiktok-downloader', '/ar/api', '/api.data', '/'], (path) => !path.includes('api'));
  for (const path of paths) {
    const clean = await request(path);
    for (const headers of poison) {
      await administer('reset-cache');
      // At the root a foreign language gets a redirect, which must not be cached either.
      await request(path, headers);
      await request(`${path}?source=${mark}&utm_source=${mark}`, headers);
      await request(path, headers, 'HEAD');
      const victim = await request(path);
      expect([path, headers, victim.status, victim.body.equals(clean.body)]).toEqual([
        path,
        headers,
        200,
        true,
      ]);
      expect(JSON.stringify(victim.headers)).not.toContain(mark);
      const cookies = [victim.headers['set-cookie'] ?? []].flat();
      expect(cookies.filter((line) => !/^(?:sidebar|resourceBanner)AB=[ab];/.test(line))).toEqual([]);
    }
  }
});

test('cookies go to their visitor and not into the page', async () => {
  const first = await request('/api');
  expect(first.headers['set-cookie']).toHaveLength(2);
  const known = await request('/api', { cookie: 'sidebarAB=a; resourceBannerAB=b' });
  expect(known.headers['set-cookie']).toBeUndefined();
  expect(known.body.equals(first.body)).toBe(true);
});

describe('the operator', () => {
  test('drops one page, several, those with a suffix, or all', async () => {
    const fill = async () => {
      for (const path of ['/', '/api', '/ar/api', '/tiktok-downloader']) await request(path);
    };
    await fill();
    await administer('clear-cache', '&key=en.desktop/');
    expect(await keys()).not.toContain('en.desktop/');
    await administer('del-keys-by-suffix', '&key=/api');
    expect(await keys()).toEqual(['en.desktop/tiktok-downloader']);
    await fill();
    await administer('del-keys', '&keys=en.desktop/,en.desktop/api');
    expect(await keys()).toEqual(['ar.desktop/ar/api', 'en.desktop/tiktok-downloader']);
    const reset = await administer('reset-cache');
    expect(reset.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(await keys()).toEqual([]);
  });

  test('requires the secret, which no log ever contains', async () => {
    await request('/api');
    for (const wrong of ['', '?secret=', '?secret=wrong', `?secret=${secret}x`]) {
      const answer = await request(`/reset-cache${wrong.replaceAll(' ', '%20')}`);
      expect(answer.status).toBe(404);
    }
    expect(await keys()).toEqual(['en.desktop/api']);
    expect(JSON.stringify(product.log())).not.toContain(secret);
    expect(JSON.stringify(product.log())).not.toContain(encodeURIComponent(secret));
  });
});

/** Starts a product with changed fields of the site configuration. */
async function startWith(fields: Record<string, unknown>, options: ProductOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-site-'));
  const file = join(folder, 'site.config.json');
  const usual = JSON.parse(readFileSync('site.config.json', 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...usual, ...fields }));
  const other = await startProduct({ ...options, env: { ...options.env, SITE_CONFIG: file } });
  return {
    other,
    stop: async () => {
      await other.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

describe('the order of the steps', () => {
  test('follows the configuration; an unknown name is an error screen in the visitor’s language', {
    skip: !isAudit,
  }, async () => {
    const route_steps = ['access-log', 'i18n', 'mystery', 'injection-store', 'route'];
    const { other, stop } = await startWith({ route_steps }, { env: { CACHE_ADMIN_SECRET: secret } });
    const ids: string[] = [];
    for (const [path, text] of [
      ['/', 'Unknown middleware mystery'],
      ['/tr/api', 'Bilinmeyen ara katman: mystery'],
    ] as const) {
      const answer = await rawRequest(other.origin, path);
      expect(answer.status).toBe(500);
      const shown = html(answer);
      expect(shown).toContain(text);
      expect(shown).not.toMatch(/ at .*\.ts|node_modules|<script/);
      const id = String(answer.headers['x-request-id']);
      expect(shown).toContain(id);
      ids.push(id);
    }
    expect((await rawRequest(other.origin, '/en/api')).status).toBe(301);
    expect((await rawRequest(other.origin, '/healthz')).status).toBe(200);
    await stop();
    const errors = other.log().filter(({ level }) => level === 50);
    expect(errors.map(({ reqId }) => reqId)).toEqual(ids);
  });

  test('a missing step has no effects', { skip: !isAudit }, async () => {
    const { other, stop } = await startWith({ route_steps: ['injection-store', 'route'] });
    const answer = await rawRequest(other.origin, '/', { headers: { 'accept-language': 'tr' } });
    expect([answer.status, answer.headers['set-cookie'], answer.headers.etag]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    expect((await rawRequest(other.origin, '/cookie_set?name=lang&value=tr')).status).toBe(404);
    expect(other.log().some((line) => line.msg === 'request')).toBe(false);
    await stop();
  });
});

describe('a proxy in front may cache pages', () => {
  const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148' };
  const shared = 'public, max-age=0, s-maxage=600, stale-while-revalidate=60';

  async function startShared(page_cache: Record<string, unknown>) {
    const other = await startProduct({
      env: { SITE_CONFIG: siteFile({ page_cache: { shared: true, ...page_cache } }) },
    });
    const get = (target: string, headers: Record<string, string> = {}) =>
      rawRequest(other.origin, target, { headers });
    return { get, stop: other.stop };
  }

  test('that the operator allows: those that are the same for all, with nobody’s cookies', {
    skip: !isAudit,
  }, async () => {
    const { get, stop } = await startShared({ key_format: 'locale' });
    for (const when of ['rendered', 'kept']) {
      const { headers } = await get('/de/tiktok-downloader', phone);
      expect([when, headers['cache-control'], headers.vary, headers['set-cookie']]).toEqual([
        when,
        shared,
        'Accept-Encoding',
        undefined,
      ]);
      const again = await get('/de/tiktok-downloader', { ...phone, 'if-none-match': String(headers.etag) });
      expect([again.status, again.headers['cache-control']]).toEqual([304, shared]);
    }
    const own = ['/de/tiktok-downloader?utm_source=mail', '/tiktok-downloader?url=x', '/nothing-here'];
    for (const target of own)
      expect([target, (await get(target)).headers['cache-control']]).toEqual([
        target,
        target.includes('utm') ? 'private, no-cache' : 'no-store',
      ]);
    expect((await get('/')).headers.vary).toBe('Accept-Language, Cookie, Accept-Encoding');
    await stop();
  });

  test('and keeps each form of a page apart from the others', { skip: !isAudit }, async () => {
    const { get, stop } = await startShared({ key_format: 'locale.device.os.webp.ab' });
    expect((await get('/contact', phone)).headers.vary).toBe('User-Agent, Accept, Cookie, Accept-Encoding');
    await stop();
  });
});

test('the access log has one line for each page, without query and address', async () => {
  const { headers } = await request('/api?source=secret-of-a-query');
  const lines = () => product.log().filter((line) => line.reqId === headers['x-request-id']);
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ method: 'GET', path: '/api', status: 200, cache: 'miss' });
  expect(JSON.stringify(lines())).not.toMatch(/secret-of-a-query|127\.0\.0\.1/);
});

test.each([
  ['localhost:3000', 0],
  ['localhost:3001', 1],
])('at %s without the switch the cache keeps %i page', async (host, count) => {
  await request('/api', { host });
  expect((await keys()).filter((key) => key.endsWith('/api'))).toHaveLength(count);
});

const switched = [
  ['127.0.0.1:3000', '1', 1],
  ['clipferry.example', '0', 0],
] as const;

test.runIf(isAudit).each(switched)(
  'at %s with the switch %s the cache keeps %i page',
  async (host, PAGE_CACHE, count) => {
    const other = await startProduct({ env: { CACHE_ADMIN_SECRET: secret, PAGE_CACHE } });
    await rawRequest(other.origin, '/api', { headers: { host } });
    const listed = await rawRequest(other.origin, `/cache-keys?secret=${encodeURIComponent(secret)}`);
    expect(String(listed.body).match(/en\.desktop\/api/g) ?? []).toHaveLength(count);
    await other.stop();
  },
);
