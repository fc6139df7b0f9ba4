import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ env: { PAGE_CACHE: '0' } });
});
afterAll(() => product.stop());

/** Nothing is cached: each page is rendered. */
async function rendered(path: string): Promise<string> {
  const answer = await fetch(product.origin + path);
  expect(answer.status).toBe(200);
  return answer.text();
}

const part = (html: string, name: 'header' | 'footer') =>
  new RegExp(`<${name} [^>]*class="${name}">.*?</${name}>`, 's').exec(html)?.[0] ?? '';

test.each(['/', '/ar', '/tiktok-downloader', '/ar/download-mp3-tiktok', '/contact'])(
  '%s is the same when it is rendered again, after others',
  async (path) => {
    const first = await rendered(path);
    await rendered('/de/tiktok-video-downloader');
    await rendered('/api');
    expect(await rendered(path)).toBe(first);
  },
);

test('each page has its own header and footer', async () => {
  const paths = ['/', '/tiktok-downloader', '/download-mp3-tiktok', '/ar', '/ar/tiktok-downloader'];
  const pages = [];
  for (const path of paths) pages.push(await rendered(path));
  for (const name of ['header', 'footer'] as const)
    expect(new Set(pages.map((html) => part(html, name))).size).toBe(paths.length);
  const present = pages.map((html) =>
    /<a aria-current="page" href="([^"]+)"/.exec(part(html, 'header'))?.at(1),
  );
  expect(present.slice(1)).toEqual([
    '/tiktok-downloader',
    '/download-mp3-tiktok',
    undefined,
    '/ar/tiktok-downloader',
  ]);
});

test('a category that the switcher keeps does not stay in the header of the page without it', async () => {
  const chosen = await rendered('/posts?category=guides');
  const plain = await rendered('/posts');
  expect(part(chosen, 'header')).toContain('category%3Dguides');
  expect(part(plain, 'header')).not.toContain('category%3Dguides');
});
