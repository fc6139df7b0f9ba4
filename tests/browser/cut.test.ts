import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openPage, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import type { Journey } from '../support/journey.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { until } from '../support/until.ts';

let journey: Journey;
let browser: Browser;
let watched: WatchedPage | undefined;

beforeAll(async () => {
  [journey, browser] = await Promise.all([sharedJourney(), sharedBrowser()]);
});
afterEach(async () => {
  await watched?.context.close();
  expect(watched?.problems ?? []).toEqual([]);
  watched = undefined;
});

/** A page that shows a post with the cutter open, and the names of the downloads that its browser lists. */
async function openCutter(options?: Parameters<typeof openPage>[2]) {
  watched = await openPage(browser, journey.product.origin, options);
  const { page } = watched;
  const listed: string[] = [];
  page.on('download', (download) => listed.push(download.suggestedFilename()));
  await page.goto(`/?url=${encodeURIComponent(journey.platform.link('ordinary'))}`);
  if (options?.javaScriptEnabled !== false) await untilScriptsRun(page);
  await page.getByText('Save only a part').click();
  return { page, listed };
}

test('the keyboard alone chooses a part, and each format is saved under its own name', async () => {
  const { page, listed } = await openCutter();
  const [from, to] = [page.locator('[name=from]'), page.locator('[name=to]')];
  const handle = page.getByRole('slider', { name: 'From' });
  await handle.focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'PageUp', 'Shift+PageUp', 'Shift+PageDown'])
    await page.keyboard.press(key);
  await expect.poll(() => from.inputValue()).toBe('0:01.2');
  expect(await handle.getAttribute('aria-valuetext')).toBe('0:01.2');
  // Neither handle passes the other.
  await page.getByRole('slider', { name: 'To' }).focus();
  for (let n = 0; n < 9; n += 1) await page.keyboard.press('PageDown');
  await expect.poll(() => to.inputValue()).toBe('0:01.3');

  // The digits of Arabic keyboards.
  await to.fill('٠:٠٣٫٥');
  for (const [button, name] of [
    ['MP4', '1.2-3.5.mp4'],
    ['M4R (iPhone)', 'ringtone-1.2.m4r'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await until(`${name} is listed`, () => listed.some((one) => one.endsWith(name)));
  }

  await to.fill('0:01');
  await page.getByRole('button', { name: 'MP4', exact: true }).click();
  await page.getByRole('alert').getByText('“To” has to come after “From”').waitFor();
  expect(listed).toHaveLength(2);
});

test('the ends on the player choose the part that is cut, until another post is shown', async () => {
  const { page, listed } = await openCutter();
  await page.getByText('Save only a part').click();
  await page.getByRole('button', { name: 'Watch the video' }).click();
  const end = page.locator('.preview').getByRole('slider', { name: 'From' });
  await page.locator('.preview-controls').scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await end.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + 10, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => end.getAttribute('aria-valuetext')).toMatch(/^0:0[234]/);
  const chosen = (await end.getAttribute('aria-valuetext')) ?? '';
  // The video shows where the part begins.
  const position = page.getByRole('slider', { name: 'Position' });
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  expect(await position.getAttribute('aria-valuetext')).not.toMatch(/^0:0[01]/);
  await page.locator('.cut summary', { hasText: chosen }).click();
  expect(await page.locator('[name=from]').inputValue()).toBe(chosen);
  await page.getByRole('button', { name: 'MP4', exact: true }).click();
  const seconds = String(Number(chosen.slice(2)));
  await until('the part is listed', () => listed.some((one) => one.includes(`-${seconds}-`)));

  await page.locator('#link').fill(journey.platform.link('captions'));
  await page.locator('.link-submit').click();
  await page.locator('.cut summary', { hasNotText: chosen }).waitFor();
});

test('without scripts the fields and the buttons are a form', async () => {
  const { page, listed } = await openCutter({ javaScriptEnabled: false });
  expect(await page.getByRole('slider').count()).toBe(0);
  await page.locator('[name=from]').fill('0:02');
  await page.locator('[name=to]').fill('4');
  await page.getByRole('group', { name: 'Download this part' }).getByRole('button', { name: 'MP3' }).click();
  await until('the part is listed', () => listed.some((one) => one.endsWith('2-4.mp3')));
});
