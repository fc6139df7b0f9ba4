import { beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../support/audit/scope.ts';
import { downloaderPages } from '../support/downloader-pages.ts';
import type { RunningProduct } from '../support/product.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let product: RunningProduct;
beforeAll(async () => {
  ({ product } = await sharedJourney());
});

const names = [
  ...downloaderPages,
  'about',
  'api',
  'author',
  'contact',
  'cookies-policy',
  'dmca',
  'legal-disclaimer',
  'pagelink',
  'posts',
  'privacy-policy',
  'terms-of-use',
  'view-articles',
];
const withVariant = [
  'contact',
  'cookies-policy',
  'dmca',
  'legal-disclaimer',
  'posts',
  'privacy-policy',
  'terms-of-use',
];

const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
const getPage = async (path: string) => {
  const response = await fetch(product.origin + path, { redirect: 'manual' });
  return { response, html: await response.text() };
};

// The audit requests every page in every language.
const prefixes = sample(['', '/tr', '/ar', '/tr/ar'], (prefix) => prefix === '' || prefix === '/tr/ar');

describe.each(prefixes)('under "%s"', (prefix) => {
  const canonicalPrefix = prefix.replace('/tr/ar', '/ar');

  test.each(names)('%s is a page with its own canonical address', async (name) => {
    const { response, html } = await getPage(`${prefix}/${name}`);
    expect(response.status).toBe(200);
    expect(canonicalOf(html)).toBe(`https://clipferry.example${canonicalPrefix}/${name}`);
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
  });

  test.each(withVariant)('%s-new1 is another layout of the same page', async (name) => {
    const [base, variant] = await Promise.all([
      getPage(`${prefix}/${name}`),
      getPage(`${prefix}/${name}-new1`),
    ]);
    expect(variant.response.status).toBe(200);
    const head = (html: string) =>
      html.match(/<title>.*?<\/title>|<meta name="(?:description|keywords)"[^>]*>/g);
    expect(head(variant.html)).toEqual(head(base.html));
    expect(canonicalOf(variant.html)).toBe(canonicalOf(base.html));
    expect(variant.html).not.toBe(base.html);
  });

  test('the second name of the terms of use is the same document', async () => {
    const { response, html } = await getPage(`${prefix}/term-of-use`);
    expect(response.status).toBe(200);
    expect(canonicalOf(html)).toBe(`https://clipferry.example${canonicalPrefix}/terms-of-use`);
  });

  test.each([
    '404',
    'error-404',
    'no-such-page',
    'author/nobody',
    'posts/no-such-category',
    'posts/no-such-category/2',
    'posts-new1/no-such-category',
    'posts/a/b/c',
    'contact/more',
    'author-new1',
    'xx/contact',
  ])('%s is the 404 screen', async (name) => {
    const { response, html } = await getPage(`${prefix}/${name}`);
    expect(response.status).toBe(404);
    expect(html).toContain('<title>404</title>');
    expect(html).toContain('name="robots" content="noindex"');
    expect(canonicalOf(html)).toBeUndefined();
  });
});

test('keeps a category in the canonical address, and nothing else of a query', async () => {
  const { html } = await getPage('/posts?category=guides&source=x&text=%22%3E');
  expect(canonicalOf(html)).toBe('https://clipferry.example/posts?category=guides');
  expect(html).toContain('hrefLang="de" href="https://clipferry.example/de/posts?category=guides"');
});

test.each(['/posts', '/contact', '/', '/tiktok-downloader', '/save-tiktok-video-iphone', '/posts/guides'])(
  'an invalid category, or one that %s does not have, does not make another page of it',
  async (path) => {
    for (const category of path === '/posts' ? ['phones', '5000', '%22%3E%3Cscript%3E'] : ['guides']) {
      const { html } = await getPage(`${path}?category=${category}`);
      expect(canonicalOf(html)).toBe(`https://clipferry.example${path}`);
      expect(html).not.toMatch(/<link[^>]*[?]category=/);
    }
  },
);

test.each(['/', '/tr', '/tiktok-downloader', '/tr/ar'])(
  'the form of %s submits to an address that answers it',
  async (path) => {
    const { html } = await getPage(path);
    const action = /<form[^>]*class="link-box"[^>]*action="([^"]*)"/.exec(html)?.[1];
    const answer = await fetch(product.origin + action, {
      method: 'POST',
      body: new URLSearchParams({ url: 'x' }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('tool-failure');
  },
);
