import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { inMotion, untilIdle, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { watchShifts } from '../support/layout-shift.ts';

const visits = visitInBrowser();

async function open(path: string): Promise<Page> {
  const { page, problems } = await visits.open();
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(path, { waitUntil: 'networkidle' });
  return page;
}

/** Whether a page's heading is drawn completely in the font for headings. */
async function hasOwnFace(page: Page): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.length > 0 && fonts.every(({ isCustomFont }) => isCustomFont);
}

// A language for each of the font's files would be four; the last script stands for all.
test.runIf(isAudit).each(['/', '/fr', '/pl', '/ru'])(
  'draws the heading of %s in the font for headings',
  async (path) => {
    const page = await open(path);
    // If it was late the first time, the browser has it by now.
    await page.evaluate(() => document.fonts.ready);
    await page.reload();
    expect(await hasOwnFace(page)).toBe(true);
  },
);

test('loads no part of the font for a language whose script the font lacks', { skip: !isAudit }, async () => {
  const page = await open('/ar');
  const asked = () => [...document.fonts].filter(({ status }) => status !== 'unloaded').length;
  expect(await hasOwnFace(page)).toBe(false);
  expect(await page.evaluate(asked)).toBe(0);
});

test('leaves a font that is too late for the first drawing to the next page', {
  skip: !isAudit,
}, async () => {
  const { page } = await visits.open(inMotion);
  const drawn = Promise.withResolvers<void>();
  const face = Promise.withResolvers<void>();
  const shifts = await watchShifts(page);
  await page.route('**/*.woff2', async (route) => {
    await drawn.promise;
    await route.continue();
  });
  await page.route('**/outcome-*.css', async (route) => {
    await face.promise;
    await route.continue();
  });
  const arrived = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.woff2'));
  const styled = page.waitForEvent('requestfinished', (request) => request.url().includes('/outcome-'));
  await page.goto('/', { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  drawn.resolve();
  await arrived;
  face.resolve();
  await styled;
  await untilScriptsRun(page);
  await untilIdle(page);
  expect(await shifts.list()).toEqual([]);
  expect(await hasOwnFace(page)).toBe(false);
});
