import { createECDH } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SiteState } from '../../src/site/state/site-state.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { siteFile } from '../support/site-file.ts';

let product: RunningProduct;
let bare: RunningProduct;
const pair = createECDH('prime256v1');
pair.generateKeys();
const push = {
  VAPID_PUBLIC_KEY: pair.getPublicKey('base64url'),
  // Node omits zeros at its beginning.
  VAPID_PRIVATE_KEY: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  VAPID_SUBJECT: 'mailto:operator@site.example',
};

beforeAll(async () => {
  const SITE_CONFIG = siteFile({
    default_options: { has_category: false },
    abnormal_pages: { de: { '/contact': '/kontakt' } },
    menus_info: [{ url: '/', text: 'home', children: [{ url: '/download-mp3-tiktok', text: 'mp3' }] }],
  });
  [{ product }, bare] = await Promise.all([sharedJourney(), startProduct({ env: { SITE_CONFIG, ...push } })]);
});
afterAll(() => bare.stop());

async function stateOf(path: string, headers: Record<string, string> = {}, at = product): Promise<SiteState> {
  const { status, body } = await rawRequest(at.origin, `/api/state?path=${encodeURIComponent(path)}`, {
    headers: { host: 'clipferry.example', ...headers },
  });
  expect(status).toBe(200);
  return (JSON.parse(String(body)) as { data: SiteState }).data;
}

test('the state of a page consists of its address and the request', async () => {
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

test('a dropdown in the header lets its pages be found by their addresses', async () => {
  const { menusInfo, modulesByUrl } = await stateOf('/', {}, bare);
  expect(menusInfo.flatMap(({ children = [] }) => children.map(({ text }) => text))).toEqual(['mp3']);
  expect(modulesByUrl['/download-mp3-tiktok']?.download_info.download_btns).toContain('mp3');
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

test('a site without categories reads none at its start, and has none anywhere', async () => {
  const state = await stateOf('/de/contact', {}, bare);
  expect([state.defaultOptions, state.categories]).toEqual([{ hasCategory: false }, []]);
  expect(state.abnormalPages).toEqual({ de: { contact: 'kontakt' } });
  expect(state).toMatchObject({ push: { PublicKey: push.VAPID_PUBLIC_KEY, app_id: 'clipferry' } });
  const list = await fetch(`${bare.origin}/category/list?language=de`);
  expect(await list.json()).toEqual({ cscode: 200, data: [] });
  const posts = await fetch(`${bare.origin}/posts`);
  expect([posts.status, posts.headers.get('set-cookie') ?? '']).toEqual([
    200,
    expect.not.stringContaining('category_page'),
  ]);
  expect((await fetch(`${bare.origin}/posts/guides`)).status).toBe(404);
});

test('refuses an invalid path', async () => {
  expect((await rawRequest(product.origin, '/api/state?path=x')).status).toBe(400);
  expect((await rawRequest(product.origin, `/api/state?path=/${'x'.repeat(600)}`)).status).toBe(400);
  expect((await rawRequest(product.origin, '/api/state?path=//evil.example')).status).toBe(200);
});
