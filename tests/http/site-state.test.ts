import { createECDH } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SiteState } from '../../src/web/state/site-state.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { siteFile } from '../support/site-file.ts';

let product: RunningProduct;
let bare: RunningProduct;
const pair = createECDH('prime256v1');
pair.generateKeys();
const push = {
  VAPID_PUBLIC_KEY: pair.getPublicKey('base64url'),
  // Node leaves out zeros at its beginning.
  VAPID_PRIVATE_KEY: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  VAPID_SUBJECT: 'mailto:operator@site.example',
};

beforeAll(async () => {
  const SITE_CONFIG = siteFile({
    default_options: { has_category: false },
    abnormal_pages: { de: { '/contact': '/kontakt' } },
    menus_info: [{ url: '/', text: 'home', children: [{ url: '/download-mp3-tiktok', text: 'mp3' }] }],
  });
  [product, bare] = await Promise.all([startProduct(), startProduct({ env: { SITE_CONFIG, ...push } })]);
});
afterAll(() => Promise.all([product.stop(), bare.stop()]));

type Answer = SiteState & { readonly pageCache: { readonly key: string | null; readonly isKept: boolean } };

async function stateOf(path: string, headers: Record<string, string> = {}, at = product): Promise<Answer> {
  const { status, body } = await rawRequest(at.origin, `/api/state?path=${encodeURIComponent(path)}`, {
    headers: { host: 'clipferry.example', ...headers },
  });
  expect(status).toBe(200);
  return (JSON.parse(String(body)) as { data: Answer }).data;
}

test('the state of a page is made of its address and of the request', async () => {
  const state = await stateOf('/de/posts?x=1', {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    accept: 'image/avif,image/webp',
    referer: 'https://other.example/',
  });
  expect(state).toMatchObject({
    ...{ locale: 'de', defaultLocale: 'en', path: '/de/posts', homePath: '/de' },
    ...{ host: 'clipferry.example', protocol: 'https', url: 'https://clipferry.example/de/posts?x=1' },
    ...{ isMobile: false, system: 'linux', isX64: true, isWebp: true, refererUrl: 'https://other.example/' },
    ...{
      domain: 'clipferry.example',
      cssDomain: 'https://clipferry.example',
      defaultOptions: { hasCategory: true },
    },
    ...{ adInfo: [], adMobileInfo: [], hideKSAd: false, articleInfo: null },
    recommendRightAd: expect.arrayContaining([expect.objectContaining({ type: 'install' })]),
    ...{ token: '', user_info: {}, push: null },
  });
  expect(state.locales).toHaveLength(24);
  expect(state.hreflangLocales).toContain('zh');
  expect(Object.keys(state.modulesByUrl)).toContain('/tiktok-downloader');
  expect(state.categories.length).toBeGreaterThan(0);
  expect(state.popularPosts.length).toBeGreaterThan(0);
  expect(state.dictionary).toHaveProperty('skip');
  const article = await stateOf(`/de/${state.popularPosts[0]?.slug ?? ''}`);
  expect(article.articleInfo?.title).toBe(state.popularPosts[0]?.title);
});

test('with a dropdown in the header its pages are found by their addresses', async () => {
  const { menusInfo, modulesByUrl } = await stateOf('/', {}, bare);
  expect(menusInfo.flatMap(({ children = [] }) => children.map(({ text }) => text))).toEqual(['mp3']);
  expect(modulesByUrl['/download-mp3-tiktok']?.buttons).toContain('mp3');
});

test.each([
  ['', { isMobile: false, system: 'win', isX64: false }],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', { isMobile: false, system: 'win', isX64: true }],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', { isMobile: false, system: 'mac', isX64: true }],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile', { isMobile: true, system: 'android', isX64: false }],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', { isMobile: true, system: 'ios', isX64: false }],
])('%s is a device of its kind', async (agent, device) => {
  expect(await stateOf('/', { 'user-agent': agent })).toMatchObject(device);
});

test('says how the page cache meets the page, and changes nothing of it', async () => {
  const ask = () => stateOf('/pt/contact', { 'user-agent': 'Mozilla/5.0 (iPhone) Mobile' });
  expect((await ask()).pageCache).toEqual({ key: 'pt.mobile/pt/contact', isKept: false });
  const headers = { host: 'clipferry.example', 'user-agent': 'Mozilla/5.0 (iPhone) Mobile' };
  const page = await rawRequest(product.origin, '/pt/contact', { headers });
  expect((await ask()).pageCache.isKept).toBe(true);
  const again = await rawRequest(product.origin, '/pt/contact', {
    headers: { ...headers, referer: 'https://other.example/', accept: 'image/webp' },
  });
  expect(String(again.body)).toBe(String(page.body));
  expect(String(page.body)).not.toContain('refererUrl');
});

test('a page that is kept by what its request accepts says under which key, and its state knows that one', async () => {
  const SITE_CONFIG = siteFile({ page_cache: { key_format: 'locale.webp' } });
  const webp = await startProduct({ env: { SITE_CONFIG } });
  const headers = { host: 'clipferry.example', accept: 'text/html,image/webp' };
  const keyOf = async (accept: string) =>
    (await rawRequest(webp.origin, '/pt/contact', { headers: { ...headers, accept } })).headers[
      'server-timing'
    ];
  // Made, and kept.
  for (let n = 0; n < 2; n += 1)
    expect(await keyOf(headers.accept)).toBe('page-cache;desc="pt.webp/pt/contact"');
  expect(await keyOf('*/*')).toBe('page-cache;desc="pt.plain/pt/contact"');
  const { pageCache } = await stateOf('/pt/posts&key=pt.webp/pt/contact', {}, webp);
  expect(pageCache.key).toBe(null);
  const asked = await rawRequest(webp.origin, '/api/state?path=/pt/contact&key=pt.webp/pt/contact', {
    headers,
  });
  const { data } = JSON.parse(String(asked.body)) as { data: Answer };
  expect(data.pageCache).toEqual({ key: 'pt.webp/pt/contact', isKept: true });
  await webp.stop();
  const usual = await rawRequest(product.origin, '/pt/contact', { headers });
  expect(usual.headers['server-timing']).toBeUndefined();
});

test('a site without categories reads none at its start, and has none anywhere', async () => {
  const state = await stateOf('/de/contact', {}, bare);
  expect([state.defaultOptions, state.categories]).toEqual([{ hasCategory: false }, []]);
  expect(state.abnormalPages).toEqual({ de: { contact: 'kontakt' } });
  expect(state.push).toEqual({ PublicKey: push.VAPID_PUBLIC_KEY, app_id: 'clipferry' });
  const list = await fetch(`${bare.origin}/category/list?language=de`);
  expect(await list.json()).toEqual({ cscode: 200, data: [] });
  const posts = await fetch(`${bare.origin}/posts`);
  expect([posts.status, posts.headers.get('set-cookie') ?? '']).toEqual([
    200,
    expect.not.stringContaining('category_page'),
  ]);
  expect((await fetch(`${bare.origin}/posts/guides`)).status).toBe(404);
});

test('a path that is none is refused', async () => {
  expect((await rawRequest(product.origin, '/api/state?path=x')).status).toBe(400);
  expect((await rawRequest(product.origin, `/api/state?path=/${'x'.repeat(600)}`)).status).toBe(400);
  expect((await rawRequest(product.origin, '/api/state?path=//evil.example')).status).toBe(200);
});
