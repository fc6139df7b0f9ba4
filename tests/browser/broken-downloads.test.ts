import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { launchBrowser, openPage, untilScriptsRun } from '../support/browser.ts';
import { originalVideo } from '../support/clips.ts';
import { submitLink, visitTool } from '../support/tool-visits.ts';

const visits = visitTool();

const stopped = 'The download stopped before the end.';
const succeeded = 'The download succeeded';

/** Shows a post, and presses its button. @returns what the browser saves */
async function save(page: Page, post: string): Promise<Download> {
  await submitLink(page, visits.journey.platform.link(post));
  const button = page.getByRole('link', { name: /Download video/ });
  await button.waitFor();
  // The product has read with the post whether it has sound, which may use up a fault that wears off.
  await visits.journey.platform.reset();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return download;
}

const heard = (page: Page) => page.locator('[role="status"]').allTextContents();

/** Videos that break off for good, whatever the browser asks for by itself. */
const broken = ['breaks-then-refuses', 'breaks-then-416', 'early-close-always'];

async function expectBroken(page: Page, download: Download): Promise<void> {
  const notice = page.locator('.option .notice-error', { hasText: stopped });
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Try again' }).waitFor();
  expect(await download.failure()).not.toBeNull();
  // Whatever the browser has asked for by then, the page looks once more, and says the same.
  await page.waitForResponse((response) => response.url().includes('/arrival?'));
  expect(await notice.count()).toBe(1);
  expect(await page.locator('[data-stage="saved"]').count()).toBe(0);
  expect((await heard(page)).join()).toContain(stopped);
}

describe('a video that breaks off', () => {
  test.each(sample(broken, (post) => post === 'breaks-then-refuses'))(
    'for good (%s) is not called saved, and another try is offered below the button',
    async (post) => {
      const page = await visits.open('/');
      await expectBroken(page, await save(page, post));
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(stopped);
    },
  );

  test('once is saved by the rest that the browser asks for, and only then', async () => {
    const page = await visits.open('/');
    const download = await save(page, 'breaks-once');
    await page.locator('.option-link[data-stage="saved"]').waitFor();
    const saved = await readFile(await download.path());
    expect(saved.equals(originalVideo('breaks-once'))).toBe(true);
  });

  test('and is another file then is saved whole, as that file', { skip: !isAudit }, async () => {
    const page = await visits.open('/');
    const download = await save(page, 'breaks-then-changes');
    await page.locator('.option-link[data-stage="saved"]').waitFor();
    const saved = await readFile(await download.path());
    expect(saved).toHaveLength(originalVideo('breaks-then-changes').length + 50_000);
  });

  test('in one of two tabs is saved in the other only', { skip: !isAudit }, async () => {
    const page = await visits.open('/');
    const download = await save(page, 'breaks-then-refuses');
    const other = await page.context().newPage();
    await other.goto('/');
    await untilScriptsRun(other);
    await submitLink(other, visits.journey.platform.link('breaks-then-refuses'));
    const button = other.getByRole('link', { name: /Download video/ });
    await expectBroken(page, download);
    // The platform gives the whole file at the second time.
    const [whole] = await Promise.all([other.waitForEvent('download'), button.click()]);
    await other.locator('.option-link[data-stage="saved"]').waitFor();
    expect(await whole.failure()).toBeNull();
    expect(await page.locator('.option .notice-error', { hasText: stopped }).count()).toBe(1);
  });

  test('is not called saved in a Chromium with a window either', { skip: !isAudit }, async () => {
    const browser = await launchBrowser({ isWhole: true });
    const { page } = await openPage(browser, visits.journey.product.origin);
    await page.goto('/');
    await untilScriptsRun(page);
    await expectBroken(page, await save(page, 'breaks-then-refuses'));
    await browser.close();
  });

  test('comes whole at the next try', { skip: !isAudit }, async () => {
    const page = await visits.open('/');
    await save(page, 'breaks-then-refuses');
    const again = page.locator('.notice-error').getByRole('button', { name: 'Try again' });
    const [download] = await Promise.all([page.waitForEvent('download'), again.click()]);
    await page.locator('.option-link[data-stage="saved"]').waitFor();
    expect(await download.failure()).toBeNull();
  });
});

test('a sound whose conversion ended is saved only when it was sent', async () => {
  const page = await visits.open('/download-mp3-tiktok');
  // The browser loses its connection: nothing of that is known here, but to the server.
  await page.route('**/arrival?*', (route) =>
    route.fulfill({ json: { code: 200, result: { state: 'broken', bytes: 1000 } } }),
  );
  await submitLink(page, visits.journey.platform.link('very-short'));
  await page.getByRole('link', { name: /Download MP3/ }).click();
  await page.locator('.option .notice-error', { hasText: stopped }).waitFor();
  expect((await heard(page)).join()).not.toContain(succeeded);
});

test('a zip of several links that breaks off is not called saved', async () => {
  const page = await visits.open('/');
  const { link } = visits.journey.platform;
  await submitLink(page, `${link('very-short')} ${link('early-close-always')}`);
  await page.locator('.list-head', { hasText: '2 of 2 found' }).waitFor();
  await page.locator('.list-all a').first().click();
  const notice = page.locator('.list-all .notice-error', { hasText: stopped });
  await notice.getByRole('button', { name: 'Try again' }).waitFor();
  expect((await heard(page)).join()).toContain(stopped);
});
