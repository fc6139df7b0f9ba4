import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { hasResult, submitLink, visitTool } from '../support/tool-visits.ts';
import { readZip } from '../support/zip.ts';

const visits = visitTool();
const link = (name: string) => visits.journey.platform.link(name);

test('a text with several links becomes a list that fills in order, with all its files at once', async () => {
  const page = await visits.open('/tiktok-downloader');
  let asking = 0;
  let most = 0;
  // The first requests wait for each other: look-ups that are known are answered before the next one is sent.
  const { promise: four, resolve: release } = Promise.withResolvers<void>();
  const lost = link('no-text');
  let isLost = true;
  await page.route('**/api/resolve*', async (route) => {
    if (
      isLost &&
      route
        .request()
        .postData()
        ?.includes(/\d{15,}/.exec(lost)?.[0] ?? '')
    ) {
      isLost = false;
      return route.abort('internetdisconnected');
    }
    asking += 1;
    most = Math.max(most, asking);
    if (asking === 4) release();
    await four;
    const response = await route.fetch();
    asking -= 1;
    return route.fulfill({ response });
  });
  const found = page.locator('.list-head', { hasText: '5 of 6 found' });
  const names = ['ordinary', 'deleted', 'landscape', 'no-text', 'only-480', 'very-short'];
  const text = `these ${names.map(link).join(' ')} and ${link('ordinary')} again`;
  await submitLink(page, text);
  await page.locator('.list-head', { hasText: '4 of 6 found' }).waitFor();
  expect(most).toBe(4);
  const row = (at: number) => page.locator('.list-row').nth(at);
  expect(await page.locator('.list-row').count()).toBe(names.length);
  expect(await row(0).innerText()).toContain('@ferry.captain');
  await row(1).getByText('This post doesn’t exist').waitFor();
  expect(await row(1).getByText('Try again').count()).toBe(0);
  await page.locator('[role="status"]', { hasText: '4 of 6 found' }).waitFor({ state: 'attached' });

  await row(3).getByRole('link', { name: 'Try again', exact: true }).click();
  await found.waitFor();

  const succeeded = page.locator('.list-all [data-stage="saved"]');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.list-all a').first().click(),
  ]);
  expect(readZip(await readFile(await download.path()))).toHaveLength(5);
  await succeeded.waitFor();
  await page.locator('.list-all a').nth(1).click();
  await page.locator('.list-all progress').waitFor();
  await succeeded.nth(1).waitFor();

  // A zip is followed where another post is shown, too.
  await submitLink(page, link('very-short'));
  await page
    .locator('.running li', { hasText: 'Download 5 MP3s as ZIP' })
    .getByText('The download succeeded')
    .waitFor();
  await submitLink(page, text);
  await found.waitFor();

  // The address contains the list, a reload shows it again, and each post has its own page.
  await page.reload();
  await found.waitFor();
  await row(3).locator('.list-name').click();
  await hasResult(page);
  await page.locator('.result-code summary').click();
  await page.locator('.result-code').getByRole('img').waitFor();
  await page.goBack();
  await found.waitFor();
  await page.getByRole('link', { name: 'Paste another link' }).click();
  await expect.poll(() => page.locator('.list-row').count()).toBe(0);
});

test('the link of a sound lists its posts, with the sound itself; a reload and Back find it again', async () => {
  const page = await visits.open('/');
  await submitLink(page, 'https://www.tiktok.com/music/x-7100000000000000001');
  const list = page.locator('.list');
  await list.getByText('TikTok shows no more of these posts').waitFor();
  expect(await list.locator('.list-row').count()).toBe(11);
  const sound = list.locator('.list-source').getByRole('link', { name: /^MP3/ });
  const [download] = await Promise.all([page.waitForEvent('download'), sound.click()]);
  expect(download.suggestedFilename()).toMatch(/-sound\.mp3$/);
  expect(new URL(page.url()).searchParams.get('url')).toBe(
    'https://www.tiktok.com/music/x-7100000000000000001',
  );
  await page.reload();
  await sound.waitFor();
  await list.locator('.list-row').first().locator('.list-name').click();
  await hasResult(page);
  await page.goBack();
  await sound.waitFor();
});

test('one row for one post however often it is pasted; rows have menus; lines without a post are named', async () => {
  const { links } = visits.journey.platform;
  const page = await visits.open('/');
  const named = `https://www.tiktok.com/@名前/video/${/\d+$/.exec(link('ordinary'))?.[0] ?? ''}`;
  await submitLink(
    page,
    [
      link('ordinary'),
      links['short-hyphen'] ?? '',
      named,
      link('photos'),
      'https://www.example.com/cats',
    ].join('\n'),
  );
  const list = page.locator('.list');
  await list.getByText('1 video, 1 photo post').waitFor();
  expect(await list.locator('.list-row').count()).toBe(2);
  await list.getByText('www.example.com/cats').waitFor();
  await list.getByRole('link', { name: /Download 2 MP3s as ZIP/ }).waitFor();
  const row = list.locator('.list-row').first();
  await row.locator('summary').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    row.locator('.list-menu').getByRole('link', { name: /^MP3/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.mp3$/);
  await row.getByRole('button', { name: /^Remove/ }).click();
  await list.getByText('1 photo post').waitFor();
  expect(await list.locator('.list-row').count()).toBe(1);
});
