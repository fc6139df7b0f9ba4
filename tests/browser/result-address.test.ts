import { describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { untilAddress, untilIdle } from '../support/browser.ts';
import { hasResult, holdQuestions, isInSight, submitLink, visitTool } from '../support/tool-visits.ts';

const visits = visitTool();

describe('a result in the address', () => {
  test('survives a reload, Back from another page, another tool and another language', async () => {
    const page = await visits.open('/');
    await submitLink(page, `Look: ${visits.journey.platform.link('short-vm')} #fyp`);
    await hasResult(page);
    const link = 'https://www.tiktok.com/@ferry.captain/video/7615133378163811813';
    await untilAddress(page, '/', link);
    await expect.poll(() => page.locator('link[rel="canonical"]').count()).toBe(0);

    await page.reload();
    await hasResult(page);
    expect(await page.locator('#link').inputValue()).toBe(link);

    await page.locator('footer').getByRole('link', { name: 'Privacy policy' }).click();
    await untilAddress(page, '/privacy-policy');
    await page.goBack();
    await hasResult(page);
    expect(await page.locator('#link').inputValue()).toBe(link);

    await page.locator('.footer-columns').getByRole('link', { name: 'TikTok to MP3' }).click();
    await untilAddress(page, '/download-mp3-tiktok', /./);
    // The address changes before the page does: until then, the footer's links lead from the last page.
    await page.getByRole('heading', { level: 1, name: /MP3/ }).waitFor();
    await page.locator('.footer-languages').getByText('Deutsch').click();
    await untilAddress(page, '/de/download-mp3-tiktok', /./);
    await page.waitForFunction(() => document.documentElement.lang === 'de');
    await hasResult(page);
    expect(await page.locator('#link').inputValue()).toBe(link);
  });

  test('has no ticket, in the address or in anything that the browser stores', async () => {
    const page = await visits.open('/');
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await hasResult(page);
    await untilAddress(page, '/', /./);
    await page.locator('footer').getByRole('link', { name: 'Privacy policy' }).click();
    await untilAddress(page, '/privacy-policy');
    await page.goBack();
    await hasResult(page);
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, history.state, { ...sessionStorage }, { ...localStorage }]),
    );
    expect(kept).toContain('7615133378163811813');
    expect(kept).not.toMatch(/api\/files|api\/pictures|\.mp[34]\./);
  });

  test('Back and Forward lead from one result to another and to the empty box', async () => {
    const page = await visits.open('/');
    const [first, second] = [
      visits.journey.platform.link('ordinary'),
      visits.journey.platform.link('landscape'),
    ];
    await submitLink(page, first);
    await page.locator('.result').getByText('720 × 1280').first().waitFor();
    await submitLink(page, second);
    await page.locator('.result').getByText('1280 × 720').first().waitFor();
    await page.getByRole('link', { name: 'Paste another link' }).click();
    await page.waitForURL((url) => !url.searchParams.has('url'));
    expect(await page.locator('.result').count()).toBe(0);
    expect(await page.locator('#link').inputValue()).toBe('');
    await page.goBack();
    await page.locator('.result').getByText('1280 × 720').first().waitFor();
    await expect.poll(() => page.locator('#link').inputValue()).toBe(second);
    await page.goBack();
    await page.locator('.result').getByText('720 × 1280').first().waitFor();
    await expect.poll(() => page.locator('#link').inputValue()).toBe(first);
    await page.goForward();
    await page.locator('.result').getByText('1280 × 720').first().waitFor();
    await page.goForward();
    await page.locator('.hero-below').waitFor();
    expect(await page.locator('#link').inputValue()).toBe('');
  });

  test('Back leads to a result whose address the router had no time to render', async () => {
    const page = await visits.open('/');
    await page.evaluate(() => {
      const replace = history.replaceState.bind(history);
      history.replaceState = (...state) => {
        replace(...state);
        if (!location.search.includes('url=')) return;
        history.replaceState = replace;
        queueMicrotask(() => document.querySelector<HTMLElement>('.result-another')?.click());
      };
    });
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await page.locator('.hero-below').waitFor();
    await page.waitForURL((url) => !url.searchParams.has('url'));
    await page.goBack();
    await untilAddress(page, '/', /7615133378163811813/);
    await page.locator('.result').getByText('720 × 1280').first().waitFor();
  });

  test('Back during another look-up cancels it', { skip: !isAudit }, async () => {
    const page = await visits.open('/');
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await untilAddress(page, '/', /./);
    const release = await holdQuestions(page);
    const given_up = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/resolve'));
    await submitLink(page, visits.journey.platform.link('landscape'));
    await page.locator('.result-skeleton').waitFor();
    await page.goBack();
    await given_up;
    release();
    await page.locator('.result').getByText('720 × 1280').first().waitFor();
    await untilAddress(page, '/', /7615133378163811813/);
  });

  test('the logo starts over', { skip: !isAudit }, async () => {
    const page = await visits.open('/');
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await untilAddress(page, '/', /./);
    await page.locator('header .logo').click();
    await page.locator('.hero-below').waitFor();
    expect(await page.locator('.result').count()).toBe(0);
    expect(await page.locator('#link').inputValue()).toBe('');
    expect(page.url()).not.toContain('url=');
  });

  test('the box stays in sight on a phone, also after a reload', { skip: !isAudit }, async () => {
    const page = await visits.open('/', { viewport: { width: 360, height: 740 } });
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await hasResult(page);
    expect(await isInSight(page, '.link-box')).toBe(true);
    await untilAddress(page, '/', /./);
    await untilIdle(page);
    await page.reload();
    await hasResult(page);
    await page.waitForFunction(() => scrollY > 0);
    expect(await isInSight(page, '.link-box')).toBe(true);
  });

  test("no search engine indexes it, and it is nobody's alternate page", async () => {
    const link = encodeURIComponent(visits.journey.platform.link('ordinary'));
    for (const query of [`url=${link}`, `text=Look%20${link}`]) {
      const response = await visits.journey.get(`/tiktok-downloader?${query}`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const html = await response.text();
      expect(html).toContain('<meta name="robots" content="noindex"/>');
      expect(html).not.toContain('rel="canonical"');
      expect(html).toContain('class="result-options"');
    }
    const plain = await (await visits.journey.get('/tiktok-downloader')).text();
    expect(plain).toContain('rel="canonical"');
    expect(plain).not.toContain('noindex');
    expect(plain).not.toContain('?url=https%3A%2F%2Fwww.tiktok.com%2F%40ferry');
  });
});
