import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWithArticles } from '../support/articles.ts';
import type { RunningProduct } from '../support/product.ts';

const many = Array.from({ length: 30 }, (_, n) => ({ name: `story-${n}`, at: n }));

let product: RunningProduct;
beforeAll(async () => {
  product = await startWithArticles(
    [
      ...many,
      { name: 'late-story', category: 'late', at: 100 },
      {
        name: 'full',
        at: 200,
        title: 'All there is',
        fields:
          'keywords: all, there\nupdated: 2026-03-01\ncover: wide.png\ncover_alt: Deep water\ntop: true\n',
        body: '## First\n\n`{domain}/` [other](/story-1) ![Wide](wide.png)\n\n## Second\n\n[out](https://other.example/)\n\n## First',
      },
      {
        name: 'full',
        locale: 'ar',
        slug: 'kamil',
        title: 'كل شيء',
        at: 200,
        body: 'انظر [هنا](/story-1) و[هذا](/full).',
      },
      {
        name: 'hostile',
        title: '</title><script>alert(1)</script>',
        at: 150,
        body: '<img src=x onerror=alert(1)><script>alert(1)</script>',
      },
    ],
    { picture: 'full' },
  );
});
afterAll(async () => {
  await product.stop();
});

const getPage = async (path: string) => {
  const response = await fetch(product.origin + path, { redirect: 'manual' });
  return { status: response.status, html: await response.text(), type: response.headers.get('content-type') };
};
const canonicalOf = (html: string) =>
  /<link rel="canonical" href="https:\/\/clipferry.example([^"]*)"/.exec(html)?.[1];
const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];
const alternatesOf = (html: string) =>
  [...html.matchAll(/rel="alternate" hrefLang="([^"]*)" href="https:\/\/clipferry.example([^"]*)"/gi)].map(
    ([, lang, path]) => `${lang} ${path}`,
  );
/** Addresses of the articles in a list, in its order. */
const listed = (html: string) =>
  [...html.matchAll(/class="article-card-link"[^>]* href="\/([^"]*)"/g)].map(([, path]) => path);

describe('the article page', () => {
  test('has its head, its breadcrumb, its author, its contents and its time', async () => {
    const { status, html } = await getPage('/full');
    expect(status).toBe(200);
    expect(titleOf(html)).toBe('All there is');
    expect(canonicalOf(html)).toBe('/full');
    expect(html).toContain('<meta name="keywords" content="all, there"/>');
    expect(html).toContain('<meta property="og:type" content="article"/>');
    expect(html).toMatch(
      /property="og:image" content="https:\/\/clipferry.example\/share\/en\/full\.png\?v=\w+"/,
    );
    expect(html).toMatch(
      /aria-label="You are here"[\s\S]*href="\/posts"[\s\S]*href="\/posts\/news"[\s\S]*aria-current="page">All there is/,
    );
    expect(html).toMatch(/rel="author"[^>]* href="\/author\/tester"/);
    expect(html).toContain('<a href="#section-first">First</a>');
    expect(html).toContain('<a href="#section-first-1">First</a>');
    expect(html).toContain('1 min read');
    expect(html).toContain('>Updated March 1, 2026</time>');
    expect(html).toContain(
      '<code>clipferry.example/</code> <a href="/story-1" data-discover="true">other</a>',
    );
    expect(html).toContain('<a href="https://other.example/" rel="nofollow noopener">out</a>');
  });

  test('says the same to machines', async () => {
    const { html } = await getPage('/full');
    const [, json = ''] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html) ?? [];
    const [article, way] = JSON.parse(json)['@graph'];
    expect(article).toMatchObject({
      '@type': 'Article',
      headline: 'All there is',
      datePublished: '2026-01-01T03:20:00.000Z',
      dateModified: '2026-03-01T00:00:00.000Z',
      inLanguage: 'en',
      author: { name: 'Test team', url: 'https://clipferry.example/author/tester' },
    });
    expect(way.itemListElement).toHaveLength(4);
  });

  test('names exactly the languages it is written in, each under its own address', async () => {
    const english = alternatesOf((await getPage('/full')).html);
    expect(english).toEqual(['en /full', 'ar /ar/kamil', 'x-default /full']);
    // The same alternates, the page's own language first.
    expect(alternatesOf((await getPage('/ar/kamil')).html).toSorted()).toEqual(english.toSorted());
    expect((await getPage('/ar/full')).status).toBe(404);
    expect((await getPage('/tr/full')).status).toBe(404);
    expect((await getPage('/tr/ar/kamil')).status).toBe(200);
  });

  test('links to the same language if it has the target', async () => {
    const { html } = await getPage('/ar/kamil');
    // A missing translation is shown in English, and the link says so.
    expect(html).toContain(
      'hrefLang="en" href="/story-1" data-discover="true">هنا <small>(بالإنجليزية)</small></a>',
    );
    expect(html).toContain('<a href="/ar/kamil" data-discover="true">هذا</a>');
    expect(html).toMatch(/<html lang="ar" dir="rtl"/);
  });

  test('shows pictures in the sizes made of them, and these exist', async () => {
    const { html } = await getPage('/full');
    const [, source = ''] = /<img src="(\/pictures\/[^"]+)"[^>]* class="picture-wide"/.exec(html) ?? [];
    const response = await fetch(product.origin + source);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(html).toMatch(/width="780" height="439"/);
  });

  test('offers three further articles, of its category first', async () => {
    expect(listed((await getPage('/story-5')).html)).toEqual(['story-4', 'story-3', 'story-2']);
    const alone = listed((await getPage('/late-story')).html);
    expect(alone).toHaveLength(3);
    expect(alone).not.toContain('late-story');
    expect(listed((await getPage('/ar/kamil')).html)).toEqual([]);
  });

  test('keeps hostile text as text', async () => {
    const { html } = await getPage('/hostile');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('onerror');
    expect(titleOf(html)).toBe('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('is a 404 when there is none', async () => {
    for (const path of ['/no-such-article', '/full/2', '/story-99'])
      expect((await getPage(path)).status).toBe(404);
  });
});

describe('lists', () => {
  test('the front page shows popular and new articles, and lists topics that have some', async () => {
    const { html } = await getPage('/posts');
    const articles = listed(html);
    // The first entry depends on the views so far; there are no duplicates.
    expect(articles.slice(0, 5)).toEqual(expect.arrayContaining(['full', 'hostile', 'late-story']));
    expect(new Set(articles).size).toBe(articles.length);
    expect(html).toContain('>33 guides<');
    expect(html).not.toContain('Nothing yet');
  });

  test('finds a category by slug and by uid, in pages, with its child', async () => {
    const first = await getPage('/posts/news');
    expect(listed(first.html).slice(0, 4)).toEqual(['full', 'hostile', 'late-story', 'story-29']);
    expect(canonicalOf(first.html)).toBe('/posts/news');
    expect(titleOf(first.html)).toBe('News: TikTok guides');
    for (const path of ['/posts/n1', '/posts/news/1', '/posts-new1/news'])
      expect([path, canonicalOf((await getPage(path)).html)]).toEqual([path, '/posts/news']);
    expect(listed((await getPage('/posts/late')).html)).toEqual(['late-story']);
    const seen = [1, 2, 3].map(async (page) => listed((await getPage(`/posts/news/${page}`)).html));
    expect(new Set((await Promise.all(seen)).flat()).size).toBe(33);
  });

  test('a further page has its own title and address, and links both ways', async () => {
    const { html } = await getPage('/posts/news/2');
    expect(titleOf(html)).toBe('News: TikTok guides, page 2');
    expect(canonicalOf(html)).toBe('/posts/news/2');
    expect(html).toMatch(/href="\/posts\/news" rel="prev"|rel="prev" href="\/posts\/news"/);
    expect(html).toMatch(/href="\/posts\/news\/3" rel="next"|rel="next" href="\/posts\/news\/3"/);
    expect(alternatesOf(html)).toEqual(['en /posts/news/2', 'x-default /posts/news/2']);
    // The switcher leads to the beginning of the list in other languages.
    expect(html).toMatch(
      /hrefLang="ar"[^>]*(?:%2Far%2Fposts%2Fnews|\/ar\/posts\/news)"|(?:%2Far%2Fposts%2Fnews|\/ar\/posts\/news)"[^>]*hrefLang="ar"/i,
    );
  });

  test.each([
    '/posts/news/4',
    '/posts/news/0',
    '/posts/news/02',
    '/posts/news/x',
    '/posts/none',
    '/author/none',
    '/view-articles/4',
    '/author/tester/4',
  ])('%s does not exist', async (path) => {
    expect((await getPage(path)).status).toBe(404);
  });

  test('an empty list says so', async () => {
    const empty = await getPage('/posts/empty');
    expect([empty.status, /There’s no guide on this topic/.test(empty.html)]).toEqual([200, true]);
    expect((await getPage('/tr/posts')).html).toContain('henüz okunacak bir şey yok');
  });

  test('all articles and an author’s have pages too', async () => {
    expect(listed((await getPage('/view-articles')).html).slice(0, 2)).toEqual(['full', 'hostile']);
    expect(listed((await getPage('/view-articles/3')).html)).toHaveLength(33 - 24);
    const author = await getPage('/author/tester');
    expect(author.html).toContain('<p>We write tests.</p><p>Often.</p>');
    expect(author.html).toContain('href="/author/tester/2"');
    expect((await getPage('/author')).html).toContain('href="/author/tester"');
  });

  test('the second layout links to itself and has the same head', async () => {
    const { html } = await getPage('/posts-new1/news/2');
    expect(html).toContain('article-rows');
    expect(html).toMatch(/href="\/posts-new1\/news\/3"/);
    expect(canonicalOf(html)).toBe('/posts/news/2');
  });

  test('tool pages offer articles', async () => {
    // The most read articles as soon as there are views; the newest until then.
    expect(listed((await getPage('/tiktok-downloader')).html).length).toBeGreaterThan(0);
    expect(listed((await getPage('/tr/tiktok-downloader')).html)).toHaveLength(0);
  });
});

describe('feeds', () => {
  test('RSS, Atom and JSON list the newest articles of a language', async () => {
    const rss = await getPage('/feed.xml');
    expect(rss.type).toBe('application/rss+xml; charset=utf-8');
    expect(rss.html.match(/<item>/g)).toHaveLength(33);
    expect(rss.html).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>');
    const atom = await getPage('/ar/atom.xml');
    expect(atom.html).toContain('<id>https://clipferry.example/ar/kamil</id>');
    expect(atom.html.match(/<entry>/g)).toHaveLength(1);
    const json = JSON.parse((await getPage('/feed.json')).html);
    expect(json.items[0]).toMatchObject({
      url: 'https://clipferry.example/full',
      authors: [{ name: 'Test team' }],
    });
  });

  test('a feed without articles is a feed; a page past the end is not', async () => {
    expect(JSON.parse((await getPage('/tr/feed.json')).html).items).toEqual([]);
    expect((await getPage('/feed.xml?page=2')).status).toBe(404);
    expect((await getPage('/feed.xml?page=x')).status).toBe(404);
  });
});

test.each(['cookies-policy', 'legal-disclaimer', 'privacy-policy', 'terms-of-use'])(
  '%s names the site, in both layouts',
  async (name) => {
    for (const path of [`/${name}`, `/${name}-new1`]) {
      const { status, html } = await getPage(path);
      expect(status).toBe(200);
      expect(canonicalOf(html)).toBe(`/${name}`);
      expect(html).toContain('mailto:contact@clipferry.example');
    }
  },
);

test('a legal document in another language links to the pages of that language', async () => {
  const { html } = await getPage('/ar/privacy-policy');
  expect(html).toMatch(/<a href="\/ar\/cookies-policy"[^>]*>/);
  expect(html).not.toContain('role="note"');
});

test('the page about the site names its operator, also in structured data, and in English without a translation', async () => {
  const { status, html } = await getPage('/about');
  expect(status).toBe(200);
  expect(html).toContain('mailto:contact@clipferry.example');
  expect(html).toMatch(/"@type":"AboutPage"[^<]*"mainEntity":\{"@type":"Organization"/);
  expect((await getPage('/')).html).toContain('href="/about"');
  expect((await getPage('/contact')).html).not.toContain('AboutPage');
});
