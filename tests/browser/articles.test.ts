import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWithArticles } from '../support/articles.ts';
import { expectAccessible } from '../support/audit/color-schemes.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { openPage, untilAddress, untilScriptsRun } from '../support/browser.ts';
import type { RunningProduct } from '../support/product.ts';
import { sharedBrowser } from '../support/shared-browser.ts';

const long = `## One\n\n${'Word after word. '.repeat(60)}\n\n## Two\n\n[next](/story-1) and [a downloader](/tiktok-downloader)\n\n[TikTok to MP3](/download-mp3-tiktok)\n\n| a | b |\n| - | - |\n| ${'x'.repeat(90)} | y |\n\n![Deep water](wide.png)\n\n## Three\n\n- [ ] open\n\n> said\n\n\`code\``;

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  const stories = Array.from({ length: 20 }, (_, at) => ({ name: `story-${at}`, title: `Story ${at}`, at }));
  [product, browser] = await Promise.all([
    startWithArticles(
      [
        ...stories,
        { name: 'long', title: 'A long story', at: 100, body: long },
        { name: 'long', locale: 'ar', title: 'قصة طويلة', at: 100, body: long },
      ],
      { picture: 'long' },
    ),
    sharedBrowser(),
  ]);
});
afterAll(async () => {
  await product.stop();
});

const pages = [
  'posts',
  'posts-new1',
  'posts/news',
  'posts/news/2',
  'view-articles',
  'author',
  'author/tester',
  'long',
  'privacy-policy',
  'terms-of-use-new1',
];

const prefixes = sample(['', '/ar'], (prefix) => prefix === '/ar');

test.each(prefixes)(
  'axe finds nothing in the posts pages under "%s", in light and in dark',
  async (prefix) => {
    const { page, context } = await openPage(browser, product.origin, { bypassCSP: true });
    // The audit checks the other kinds of pages.
    const checked = sample(pages, (one) => ['posts/news', 'long'].includes(one));
    for (const name of checked.filter((one) => prefix === '' || one !== 'posts/news/2')) {
      await page.goto(`${prefix}/${name}`);
      await expectAccessible(page, name);
    }
    await context.close();
  },
);

test.runIf(isAudit).each(prefixes)('nothing is wider than a small phone under "%s"', async (prefix) => {
  const { page, context, problems } = await openPage(browser, product.origin, {
    viewport: { width: 360, height: 740 },
  });
  for (const name of pages.filter((one) => prefix === '' || one !== 'posts/news/2')) {
    await page.goto(`${prefix}/${name}`);
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 360]);
  }
  expect(problems).toEqual([]);
  await context.close();
});

test('a reader moves from list to article to the next, without document loads and without errors', async () => {
  const { page, context, problems } = await openPage(browser, product.origin);
  await page.goto('/posts');
  await untilScriptsRun(page);
  await page.evaluate('globalThis.stayed = true');
  await page.locator('.article-card-link', { hasText: 'A long story' }).click();
  await page.locator('h1', { hasText: 'A long story' }).waitFor();
  await page.locator('.rich-text a', { hasText: 'next' }).click();
  await page.locator('h1', { hasText: 'Story 1' }).waitFor();
  expect(await page.title()).toBe('Story 1');
  await page.locator('.breadcrumb a', { hasText: 'News' }).click();
  await page.locator('h1', { hasText: 'News' }).waitFor();
  await page.locator('.pages-nav [rel=next]').click();
  await page.locator('h1', { hasText: 'page 2' }).waitFor();
  expect(await page.evaluate('globalThis.stayed')).toBe(true);
  expect(problems).toEqual([]);
  await context.close();
});

test.each([
  ['', true],
  ['/ar', false],
])(
  'a paragraph with only a link to a downloader becomes a link box, under "%s"',
  async (prefix, javaScriptEnabled) => {
    const { page, context, problems } = await openPage(browser, product.origin, { javaScriptEnabled });
    await page.goto(`${prefix}/long`);
    const box = page.locator('.text-link-box');
    expect(await box.locator('a').getAttribute('href')).toBe(`${prefix}/download-mp3-tiktok`);
    // A link to a downloader among other words stays a link.
    expect(await page.locator('.text-link-box').count()).toBe(1);
    await box.locator('input').fill('https://www.youtube.com/watch?v=1');
    await box.locator('button').click();
    await untilAddress(page, `${prefix}/download-mp3-tiktok`);
    await page.locator('#tool-failure').waitFor();
    expect(await page.inputValue('#link')).toBe('https://www.youtube.com/watch?v=1');
    expect(problems).toEqual([]);
    await context.close();
  },
);

test('the picture of a category stands beside its name', async () => {
  const { page, context } = await openPage(browser, product.origin, {
    viewport: { width: 1440, height: 900 },
  });
  await page.goto('/posts/news');
  const name = await page.locator('h1').boundingBox();
  const picture = await page.locator('.prose-head .category-sign').boundingBox();
  if (name === null || picture === null) throw new Error('not shown');
  expect(picture.x).toBeGreaterThanOrEqual(name.x + name.width);
  expect(picture.y).toBeLessThan(name.y + name.height);
  await context.close();
});

test('the table of contents leads to the headings', async () => {
  const { page, context } = await openPage(browser, product.origin);
  await page.goto('/long');
  await page.locator('.contents a', { hasText: 'Three' }).click();
  expect(new URL(page.url()).hash).toBe('#section-three');
  await page.locator('#section-three').waitFor();
  expect(await page.evaluate('document.querySelector(":target").textContent')).toBe('Three');
  await context.close();
});

test('the device stores the last five articles, the newest first', { skip: !isAudit }, async () => {
  const { page, context, problems } = await openPage(browser, product.origin);
  for (const at of [1, 2, 3, 4, 5, 6, 3]) {
    await page.goto(`/story-${at}`);
    await page.waitForFunction(
      (title) => (localStorage.getItem('recent_visits') ?? '').startsWith(`[{"href":"/${title}"`),
      `story-${at}`,
    );
  }
  await page.goto('/posts');
  await page.locator('.visited').waitFor();
  expect(await page.locator('.visited a').allTextContents()).toEqual([
    'Story 3',
    'Story 6',
    'Story 5',
    'Story 4',
    'Story 2',
  ]);
  expect((await context.cookies()).filter(({ value }) => value.includes('story'))).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

test('sharing without a share sheet copies the canonical address to the clipboard', {
  skip: !isAudit,
}, async () => {
  const { page, context } = await openPage(browser, product.origin, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.addInitScript('delete Navigator.prototype.share');
  await page.goto('/long?source=mail');
  await page.locator('.article-share button').click();
  await page.locator('.article-share button', { hasText: 'Link copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://clipferry.example/long');
  await context.close();
});

test('reports a share that the browser refuses beside the button', { skip: !isAudit }, async () => {
  const { page, context } = await openPage(browser, product.origin);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'share', {
      value: async () => {
        throw new DOMException('not here', 'NotAllowedError');
      },
    });
  });
  await page.goto('/long');
  await page.locator('.article-share button').click();
  await page.locator('.article-share > span', { hasText: 'Your browser didn’t allow that.' }).waitFor();
  await context.close();
});

test('everything can be read and every page reached without scripts', async () => {
  const { page, context } = await openPage(browser, product.origin, { javaScriptEnabled: false });
  await page.goto('/posts');
  await page.locator('.topics a', { hasText: 'News' }).click();
  await page.locator('.pages-nav [rel=next]').click();
  await page.locator('h1', { hasText: 'page 2' }).waitFor();
  await page.goto('/long');
  expect(await page.locator('.rich-text h2').allTextContents()).toEqual(['One', 'Two', 'Three']);
  await context.close();
});

test('pictures load when they come near, without moving the text', { skip: !isAudit }, async () => {
  const { page, context } = await openPage(browser, product.origin, {
    viewport: { width: 1000, height: 500 },
  });
  await page.goto('/long');
  const picture = page.locator('.rich-text img');
  const before = await picture.boundingBox();
  await picture.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.rich-text img')?.complete);
  expect((await picture.boundingBox())?.height).toBe(before?.height);
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await context.close();
});

test('a missing picture is requested once more, then its text replaces it', { skip: !isAudit }, async () => {
  const { page, context } = await openPage(browser, product.origin);
  let requested = 0;
  await page.route('**/pictures/**', (route) => {
    requested += 1;
    return route.abort();
  });
  await page.goto('/long');
  await page.locator('.rich-text img').scrollIntoViewIfNeeded();
  await page.locator('.rich-text img[data-state=error]').waitFor();
  expect(requested).toBe(2);
  await page.unroute('**/pictures/**');
  await page.reload();
  await page.locator('.rich-text img').scrollIntoViewIfNeeded();
  await page.locator('.rich-text img[data-state=loaded]').waitFor();
  await context.close();
});
