import { expect, test } from 'vitest';
import { auditStarts } from '../support/audit/starts.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { downloaderPages } from '../support/downloader-pages.ts';
import { startProduct } from '../support/product.ts';

const further = ['posts/guides', 'posts-new1/guides', 'author/editorial-team', 'mp3-or-m4a', 'no-such-page'];

const visits = visitInBrowser(() => startProduct({ main: 'tests/support/pseudo-site.ts' }));

const texts = [
  ['a third longer than English', 'en', /[áéîöû]/],
  ['written from the right', 'ar', /\u202e/],
] as const;

test.each(texts)(
  'no page is wider than a phone of 360 px with texts %s',
  { timeout: 120_000 },
  async (_, locale, mark) => {
    const { page } = await visits.open({
      viewport: { width: 360, height: 740 },
    });
    const overflow = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        if (scrollWidth <= clientWidth) return null;
        const wide = [...document.querySelectorAll('body *')].find((element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < -1 || right > clientWidth + 1;
        });
        return `${scrollWidth} px: ${wide?.outerHTML.slice(0, 200)}`;
      });
    const prefix = locale === 'en' ? '' : `/${locale}`;
    for (const path of [
      ...auditStarts([locale], downloaderPages),
      ...further.map((name) => `${prefix}/${name}`),
    ]) {
      await page.goto(path);
      expect([path, await page.locator('h1').textContent()]).toEqual([path, expect.stringMatching(/./)]);
      expect([path, await overflow()]).toEqual([path, null]);
    }
    expect(await page.locator('footer').textContent()).toMatch(mark);
    for (const popup of ['.header-drawer', '.header-languages', '.footer-tools']) {
      await page.locator(`${popup} > summary`).click();
      await page.locator(`${popup} .popup-content`).waitFor();
      expect([popup, await overflow()]).toEqual([popup, null]);
    }
  },
);
