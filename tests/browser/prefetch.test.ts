import { expect, test } from 'vitest';
import { sample } from '../support/audit/scope.ts';
import { untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';

const visits = visitInBrowser();

/** Opens a page with a connection of a kind, and waits until links would have been fetched. */
async function prefetched(connection: object, online = true): Promise<string[]> {
  const { page } = await visits.open();
  await page.addInitScript(
    ([value, onLine]) => {
      Object.defineProperty(navigator, 'connection', { value });
      Object.defineProperty(navigator, 'onLine', { value: onLine });
      // The browser is idle at once; effects happen in the same iteration or never.
      globalThis.requestIdleCallback = (callback) => setTimeout(callback, 0) as unknown as number;
    },
    [connection, online] as const,
  );
  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('.data')) requested.push(new URL(request.url()).pathname);
  });
  await page.goto('/api');
  await untilScriptsRun(page);
  // Links also wait for an idle moment; callbacks after ours include theirs.
  for (let moments = 0; moments < 3; moments += 1)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.waitForLoadState('networkidle');
  return requested;
}

test('fetches links in view when the browser is idle', async () => {
  expect(await prefetched({ saveData: false, effectiveType: '4g' })).toEqual(
    expect.arrayContaining(['/tiktok-downloader.data', '/posts.data']),
  );
});

const visitors = [
  ['saves data', { saveData: true, effectiveType: '4g' }, true],
  ['is very slow', { saveData: false, effectiveType: 'slow-2g' }, true],
  ['is offline', { saveData: false, effectiveType: '4g' }, false],
] as const;

test.each(sample(visitors, ([what]) => what === 'saves data'))(
  'prefetches nothing for a visitor who %s',
  async (_, connection, online) => {
    expect(await prefetched(connection, online)).toEqual([]);
  },
);
