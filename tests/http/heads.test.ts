import { beforeAll, describe, expect, test } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let product: RunningProduct;
beforeAll(async () => {
  ({ product } = await sharedJourney());
});

const getHtml = async (path: string) => (await fetch(product.origin + path)).text();
const meta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
const graph = (html: string) => {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}';
  return (JSON.parse(json) as { '@graph'?: Record<string, unknown>[] })['@graph'] ?? [];
};

test.each([
  ['/', 'en', 'en_US'],
  ['/tr/contact', 'tr', 'tr_TR'],
  ['/ar/posts', 'ar', 'ar_AR'],
])('%s introduces itself to those who share it', async (path, lang, ogLocale) => {
  const html = await getHtml(path);
  expect(html).toContain(`<html lang="${lang}"`);
  const title = /<title>(.*?)<\/title>/.exec(html)?.[1];
  const description = meta(html, 'description');
  expect(title).toBeTruthy();
  expect(description?.length).toBeGreaterThan(30);
  expect(meta(html, 'keywords')).toBeTruthy();
  expect(meta(html, 'og:title')).toBe(title);
  expect(meta(html, 'og:description')).toBe(description);
  expect(meta(html, 'og:url')).toBe(`https://clipferry.example${path}`);
  expect(meta(html, 'og:locale')).toBe(ogLocale);
  expect(meta(html, 'twitter:card')).toBe('summary_large_image');
  const image = new URL(meta(html, 'og:image') ?? '');
  expect((await fetch(product.origin + image.pathname)).headers.get('content-type')).toBe('image/png');
});

describe('structured data', () => {
  test('says what a downloader page is, who runs it and where it is', async () => {
    const things = graph(await getHtml('/tr/tiktok-downloader'));
    const types = things.map((thing) => thing['@type']);
    expect(types).toEqual(['Organization', 'WebSite', 'WebApplication', 'BreadcrumbList']);
    expect(things[2]).toMatchObject({
      url: 'https://clipferry.example/tr/tiktok-downloader',
      inLanguage: 'tr',
      isAccessibleForFree: true,
    });
    expect(things[3]).toMatchObject({
      itemListElement: [
        { position: 1, item: 'https://clipferry.example/tr' },
        { position: 2, item: 'https://clipferry.example/tr/tiktok-downloader' },
      ],
    });
    // There are no ratings.
    expect(JSON.stringify(things)).not.toMatch(/aggregateRating|"review/i);
  });

  test('is left out of error screens', async () => {
    expect(graph(await getHtml('/no-such-page'))).toEqual([]);
  });
});
