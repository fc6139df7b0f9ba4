import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { siteFile } from '../support/site-file.ts';

const tool = {
  lang_file: 'tiktok-downloader',
  text: 'tiktok-downloader',
  features: ['film'],
  helps: 1,
  faq: 2,
  download_info: { example_url: 'https://www.tiktok.com/@a/video/1', download_btns: ['mp4'] },
};

let product: RunningProduct;
beforeAll(async () => {
  const SITE_CONFIG = siteFile({
    locales: ['en', 'tr', 'ar'],
    index_modules: [
      { ...tool, url: '/tiktok-downloader' },
      { ...tool, url: '/new-tool', locales: ['en', 'tr'], elk_key: 'key-for-statistics' },
    ],
    menus_info: [{ url: '/new-tool', text: 'tiktok-downloader' }],
    brand: 'Clip & Ferry',
    foot_links: [
      {
        title: 'tools',
        links: ['/', '/tiktok-downloader', '/new-tool'].map((url) => ({ url, text: 'home' })),
      },
      { title: 'legal', links: [{ url: '/dmca', text: 'dmca', extra_attr: { title: 'Copyright' } }] },
    ],
    restricted_pages: { '/dmca': ['en'], '/author': ['en', 'tr'], '/posts': ['en', 'tr'] },
    abnormal_pages: {
      en: { '/author': '/people' },
      tr: {
        '/': '/basla',
        '/tiktok-downloader': '/tiktok-indirici',
        '/contact': '/iletisim',
        '/posts': '/yazilar',
      },
      ar: { '/contact': 'https://help.example/ar' },
    },
    source_url: 'https://code.example/clipferry',
    preconnect: ['https://backend.example/path'],
  });
  product = await startProduct({ env: { SITE_CONFIG } });
});
afterAll(async () => {
  await product.stop();
});

async function getPage(path: string) {
  const response = await fetch(product.origin + path, { redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}
const alternates = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<link rel="alternate" hrefLang="([^"]*)" href="([^"]*)"/gi)].map(
      ([, language = '', href]) => [language, href],
    ),
  );
const site = 'https://clipferry.example';

test('an entry of the configuration is a page, in its named languages', async () => {
  const { status, html } = await getPage('/new-tool');
  expect(status).toBe(200);
  expect(alternates(html)).toEqual({
    en: `${site}/new-tool`,
    tr: `${site}/tr/new-tool`,
    'x-default': `${site}/new-tool`,
  });
  expect((await getPage('/tr/new-tool')).status).toBe(200);
  expect(html).toContain('key-for-statistics');
  expect((await getPage('/ar/new-tool')).status).toBe(404);
});

test('visitors see the brand, and the domain is for addresses', async () => {
  const { html } = await getPage('/');
  expect(html).toContain('<meta property="og:site_name" content="Clip &amp; Ferry"/>');
  expect(html).toContain(`© ${new Date().getFullYear()} Clip &amp; Ferry`);
  expect(html).not.toMatch(/<bdi>clipferry[^/]*<\/bdi>/);
  const feed = await (await fetch(`${product.origin}/feed.json`)).json();
  expect(feed).toMatchObject({ title: expect.stringContaining('Clip & Ferry') });
});

test('the footer has no list of tools when its columns have them all', async () => {
  expect((await getPage('/')).html).not.toContain('footer-tools');
});

test('mentions open source when the source is available', async () => {
  expect((await getPage('/')).html).toContain('<a href="https://code.example/clipferry">Open source</a>');
});

test('a page that a language lacks is in none of its menus, and the switcher leads home', async () => {
  expect((await getPage('/contact')).html).toMatch(/<a[^>]*href="\/dmca"[^>]*>/);
  const { html } = await getPage('/ar/contact');
  expect(html).not.toContain('href="/ar/new-tool"');
  expect(html).not.toContain('href="/ar/dmca"');
  expect((await getPage('/ar/dmca')).status).toBe(404);
  expect((await getPage('/dmca')).html).toContain('to=%2Far"');
});

test('a language has its pages at its own addresses, consistently in links, alternates and canonicals', async () => {
  const { status, html } = await getPage('/tr/tiktok-indirici');
  expect(status).toBe(200);
  expect(html).toContain(`<link rel="canonical" href="${site}/tr/tiktok-indirici"/>`);
  expect(html).toContain('<a class="logo" aria-label="Clip &amp; Ferry ana sayfası" href="/tr/basla"');
  const english = await getPage('/tiktok-downloader');
  expect(alternates(english.html)).toEqual(alternates(html));
  expect(alternates(html).tr).toBe(`${site}/tr/tiktok-indirici`);
  expect(english.html).toContain('to=%2Ftr%2Ftiktok-indirici"');
});

test.each([
  ['/tr/tiktok-downloader?x=1', '/tr/tiktok-indirici?x=1'],
  ['/tr', '/tr/basla'],
  ['/tr/tr/tiktok-downloader', '/tr/tiktok-indirici'],
  ['/tr/contact?x=1', '/tr/iletisim?x=1'],
  ['/tr/tr/iletisim', '/tr/iletisim'],
  ['/author', '/people'],
])('%s redirects permanently to %s', async (path, target) => {
  expect(await getPage(path)).toMatchObject({ status: 301, location: target });
});

test.each([
  ['/contact', '/tr/iletisim'],
  ['/posts', '/tr/yazilar'],
])('a static page too: %s is found at %s', async (usual, moved) => {
  const [english, turkish] = [await getPage(usual), await getPage(moved)];
  expect(turkish.status).toBe(200);
  expect(turkish.html).toContain(`<link rel="canonical" href="${site}${moved}"/>`);
  expect(alternates(turkish.html).tr).toBe(site + moved);
  expect(alternates(english.html)).toEqual(alternates(turkish.html));
  expect(english.html).toContain(`to=${encodeURIComponent(moved)}"`);
  expect(turkish.html).not.toContain(`href="/tr${usual}"`);
  const sitemap = (await getPage('/sitemap-pages-1.xml')).html;
  expect(sitemap).toContain(`<loc>${site}${moved}</loc>`);
  expect(sitemap).not.toContain(`${site}/tr${usual}<`);
});

test('a page below a moved one stays where it is, and its address does not exist elsewhere', async () => {
  expect((await getPage('/tr/author')).status).toBe(200);
  expect((await getPage('/people')).status).toBe(200);
  for (const path of ['/tr/people', '/iletisim', '/tr/iletisim/more'])
    expect((await getPage(path)).status, path).toBe(404);
});

test('the form of a moved page is answered', async () => {
  const { html } = await getPage('/tr/iletisim');
  expect(html).toMatch(/<form(?=[^>]* class="card message-form")(?=[^>]* action="\/tr\/iletisim")/);
  const answer = await fetch(`${product.origin}/tr/iletisim`, {
    method: 'POST',
    body: new URLSearchParams({ name: '' }),
  });
  expect(answer.status).toBe(422);
});

test.each([
  ['/tr/contact-new1', '/tr/iletisim'],
  ['/tr/posts-new1', '/tr/yazilar'],
])('the second layout of a moved page is found at %s', async (second, moved) => {
  const { status, html } = await getPage(second);
  expect(status).toBe(200);
  expect(html).toContain(`<link rel="canonical" href="${site}${moved}"/>`);
  expect(html).not.toBe((await getPage(moved)).html);
  const english = await getPage(second.slice('/tr'.length));
  expect(english.html).toContain(`to=${encodeURIComponent(second)}"`);
});

test('the feeds of a language with a moved home page are where its pages say', async () => {
  const { html } = await getPage('/tr/yazilar');
  const feeds = [...html.matchAll(/href="([^"]*\/(?:feed|atom)\.(?:xml|json))"/g)].map(
    ([, path = '']) => path,
  );
  expect(feeds).toContain('/tr/feed.xml');
  for (const path of new Set(feeds)) expect([path, (await getPage(path)).status]).toEqual([path, 200]);
});

test('a language links nothing below a page that it lacks', async () => {
  const sitemap = (await getPage('/sitemap-pages-1.xml')).html;
  for (const page of ['author/editorial-team', 'posts/guides']) {
    expect((await getPage(`/ar/${page}`)).status).toBe(404);
    const found = alternates((await getPage(`/${page}`)).html);
    expect(Object.keys(found).toSorted()).toEqual(['en', 'tr', 'x-default']);
    expect(sitemap).toContain(`<loc>${site}/tr/${page}</loc>`);
    expect(sitemap).not.toContain(`${site}/ar/${page}`);
  }
  const feed = JSON.parse((await getPage('/ar/feed.json')).html) as { home_page_url: string };
  expect(feed.home_page_url).toBe(`${site}/ar`);
  for (const page of ['/ar', '/ar/view-articles', '/ar/save-tiktok-video-iphone']) {
    const { status, html } = await getPage(page);
    expect(status).toBe(200);
    expect(html).not.toMatch(/href="[^"]*\/ar\/(?:posts|author)(?:[/"])/);
  }
});

test('the sitemap names the same languages of a page as the page', async () => {
  const sitemap = (await getPage('/sitemap-pages-1.xml')).html;
  const [, entry = ''] = new RegExp(`<loc>${site}/contact</loc>(.*)</url>`).exec(sitemap) ?? [];
  const named = [...entry.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map(([, lang, href]) => [
    lang,
    href,
  ]);
  expect(Object.fromEntries(named)).toEqual(alternates((await getPage('/contact')).html));
});

test('a form that is sent to the usual address of a moved home page arrives', async () => {
  const form = { method: 'POST', body: new URLSearchParams({ url: 'x' }) };
  const moved = await fetch(`${product.origin}/tr`, { ...form, redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/tr/basla']);
  const answer = await fetch(`${product.origin}/tr`, form);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('tool-failure');
});

test('the form of a home page with its own address is answered', async () => {
  const response = await fetch(`${product.origin}/tr/basla`, {
    method: 'POST',
    body: new URLSearchParams({ url: 'x' }),
  });
  expect(response.status).toBe(400);
});

test('another site may replace a page; links lead there, redirects never', async () => {
  const { status, html } = await getPage('/ar/contact');
  expect(status).toBe(200);
  expect(html).toContain('<link rel="canonical" href="https://help.example/ar"/>');
  expect(alternates((await getPage('/contact')).html).ar).toBe('https://help.example/ar');
});

test("every page links the program's source at its configured address", async () => {
  expect((await getPage('/tr/iletisim')).html).toContain(
    '<a href="https://code.example/clipferry">Kaynak kodu</a>',
  );
});

test('links have the configured attributes, and every page connects to the backend early', async () => {
  const { html } = await getPage('/');
  expect(html).toMatch(/<a[^>]*title="Copyright"[^>]*>/);
  expect(html).toContain('<link rel="preconnect" href="https://backend.example"/>');
});
