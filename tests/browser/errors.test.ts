import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { changeTo, openPage, untilAddress, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { startProduct } from '../support/product.ts';

const visits = visitInBrowser();

const missing: readonly (readonly [string, string, string])[] = [
  ['/no-such-page', '/', 'The link may be broken'],
  ['/tr/no-such-page', '/tr', 'Bağlantı hatalı'],
  ['/posts/no-such-category', '/', 'The link may be broken'],
];

describe('a page that does not exist', () => {
  test.each(sample(missing, ([path]) => path === '/tr/no-such-page'))(
    '%s has a picture, says why, and links to the guides and to %s',
    async (path, home, text) => {
      const { page, problems } = await visits.open();
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      expect(await page.title()).toBe('404');
      const heading = path.startsWith('/posts/') ? 'Post not found' : /could not be found|bulunamadı/;
      expect(await page.locator('h1').textContent()).toMatch(heading);
      expect(await page.locator('meta[name="description"]').getAttribute('content')).toContain(text);
      await page.getByText(text).waitFor();
      expect((await page.locator('.error-picture').boundingBox())?.width).toBeGreaterThan(200);
      const links = page.locator('.error-screen a');
      expect(await links.last().getAttribute('href')).toBe(`${home === '/' ? '' : home}/posts`);
      await links.first().click();
      await untilAddress(page, home);
      await page.locator('#link').waitFor();
      expect(problems).toEqual([]);
    },
  );

  test.runIf(isAudit).each([true, false])(
    'has a box that sends a link to the tool, with scripts: %s',
    async (javaScriptEnabled) => {
      const { page } = await visits.open({ javaScriptEnabled });
      await page.goto('/tr/no-such-page');
      await page.locator('.error-screen input').fill('https://www.tiktok.com/@nobody.here');
      await page.locator('.error-screen button').click();
      await untilAddress(page, '/tr', 'https://www.tiktok.com/@nobody.here');
      await page.locator('#tool-failure').waitFor();
    },
  );

  test('also appears in the middle of a page change', { skip: !isAudit }, async () => {
    const { page, problems } = await visits.open();
    await page.goto('/');
    await untilScriptsRun(page);
    await changeTo(page, '/posts/no-such-category');
    await page.getByText('The link may be broken').waitFor();
    expect(await page.title()).toBe('404');
    await page.goBack();
    await page.locator('#link').waitFor();
    expect(await page.title()).not.toBe('404');
    expect(problems).toEqual([]);
  });
});

test('an internal failure is a whole page without internals, in the page’s language, logged once with its number', async () => {
  const broken = await startProduct();
  const database = new DatabaseSync(join(broken.dataFolder, 'clipferry.db'));
  database.exec('PRAGMA foreign_keys = OFF; DROP TABLE listings;');
  database.close();
  try {
    const { page } = await openPage(visits.browser, broken.origin, {
      viewport: { width: 1000, height: 900 },
    });
    const response = await page.goto('/tr/view-articles');
    expect(response?.status()).toBe(500);
    expect(await page.locator('h1').textContent()).toBe('Sunucumuzda bir sorun oluştu');
    const id = await page.locator('[data-request-id]').textContent();
    expect(id).toBe(response?.headers()['x-request-id']);
    const html = (await response?.text()) ?? '';
    expect(html).toContain('</html>');
    expect(html).not.toMatch(/no such table|\.ts:\d|node_modules|at async/);
    await expect
      .poll(() => broken.log().filter((entry) => entry.reqId === id && Number(entry.level) >= 50))
      .toHaveLength(1);
    const box = await page.locator('.error-screen h1').boundingBox();
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 500)).toBeLessThan(2);
  } finally {
    await broken.stop();
  }
});
