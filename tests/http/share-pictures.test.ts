import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { languages, locales } from '../../src/i18n/languages.ts';
import { sample } from '../support/audit/scope.ts';
import type { RunningProduct } from '../support/product.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let product: RunningProduct;
beforeAll(async () => {
  ({ product } = await sharedJourney());
});

const request = (path: string) => fetch(product.origin + path);

/** Path of the picture that a page's head names, and its other properties. */
async function named(path: string) {
  const html = await (await request(path)).text();
  const meta = (name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`)
      .exec(html)?.[1]
      ?.replaceAll('&amp;', '&');
  const picture = meta('og:image') ?? '';
  expect(picture).toMatch(/^https:\/\/clipferry\.example\/share\//);
  expect(meta('twitter:image')).toBe(picture);
  expect([meta('og:image:width'), meta('og:image:height')]).toEqual(['1200', '630']);
  expect(meta('twitter:card')).toBe('summary_large_image');
  return {
    picture: picture.replace('https://clipferry.example', ''),
    title: /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1],
  };
}

async function fetched(path: string): Promise<Buffer> {
  const response = await request(path);
  expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png']);
  expect(response.headers.get('cache-control')).toBe('public, max-age=604800');
  return Buffer.from(await response.arrayBuffer());
}

test.each(
  sample(['/', '/tr/download-mp3-tiktok', '/ar/save-tiktok-video-iphone'], (path) => path.startsWith('/ar')),
)('%s names a small picture of the size that networks show', async (path) => {
  const { picture } = await named(path);
  const bytes = await fetched(picture);
  expect(bytes.length).toBeLessThan(60_000);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  // A second request returns the same bytes.
  expect((await fetched(picture)).equals(bytes)).toBe(true);
});

test('pages without their own picture name the home page’s, in their language', async () => {
  expect((await named('/de/contact')).picture).toBe((await named('/de')).picture);
  expect((await named('/de')).picture).toMatch(/^\/share\/de\.png\?v=\w+$/);
});

/** Number of pixels in a region as light as letters. */
async function inked(png: Buffer, left: number, top: number, width: number, height: number): Promise<number> {
  const { data } = await sharp(png)
    .extract({ left, top, width, height })
    .greyscale()
    .threshold(200)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data.reduce((sum, value) => sum + Number(value > 0), 0);
}

/** Scripts that need the most of a font: joined letters, marks above and below, and thousands of characters. */
const scripts: readonly string[] = ['ar', 'hi', 'zh'];

describe('every language has its text', () => {
  test.each(sample(locales, (locale) => scripts.includes(locale)))('%s', async (locale) => {
    const picture = await fetched(`/share/${locale}.png`);
    expect(await inked(picture, 60, 150, 1080, 180)).toBeGreaterThan(5_000);
    // The name is on the side where the language begins.
    const [atLeft, atRight] = [await inked(picture, 70, 60, 200, 80), await inked(picture, 930, 60, 200, 80)];
    const isRight = languages[locale].direction === 'rtl';
    expect([atLeft > 500, atRight > 500]).toEqual([!isRight, isRight]);
  });
});

test.each([
  '/share/xx.png',
  '/share/en/no-such-page.png',
  '/share/en/contact.png',
  '/share/de/an-article-without-german.png',
  '/share/',
  '/share/en',
  '/share/en/../x.png',
  '/share/EN.png',
])('%s is not a picture', async (path) => {
  expect((await request(path)).status).toBe(404);
});
