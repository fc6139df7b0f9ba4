import { expect, test } from 'vitest';
import { untilAddress, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { until } from '../support/until.ts';

const visits = visitInBrowser();

test('developer mode logs the state of each page and each event, on this device until it ends', async () => {
  const { page, context, problems } = await visits.open();
  await context.addCookies([{ name: 'consent', value: '1.10', url: visits.product.origin }]);
  const logged: { name: string; value: Record<string, unknown> }[] = [];
  page.on('console', async (message) => {
    // A document that is left takes its log with it.
    const [name, value] = await Promise.all(message.args().map((argument) => argument.jsonValue())).catch(
      () => [],
    );
    if (name === undefined) return;
    logged.push({ name: String(name), value: value as Record<string, unknown> });
  });
  const state = (path: string) =>
    logged.find(({ name, value }) => name === 'Site state' && value.path === path);
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/web/report')) sent.push(JSON.parse(request.postData() ?? 'null'));
  });

  await page.goto('/de/contact');
  await untilScriptsRun(page);
  const files = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(files.join()).not.toContain('/api/state');
  await page.evaluate(() => {
    location.hash = 'dev=1';
  });
  await until('the state is logged', () => state('/de/contact') !== undefined);
  expect(state('/de/contact')?.value).toMatchObject({
    ...{ locale: 'de', status: 200, token: '', refererUrl: '' },
    meta: { title: await page.title() },
  });
  const event = () => logged.find(({ name, value }) => name === 'Event' && value.mode === 'page_view')?.value;
  await until('the event is logged and sent', () => event() !== undefined && sent.flat().length > 0);
  expect(sent.flat()).toContainEqual(event());

  // A page of the same document, and then a new one without the hash.
  await page
    .locator('header a[href="/de/posts"]')
    .first()
    .evaluate((link: HTMLElement) => link.click());
  await untilAddress(page, '/de/posts');
  await until('the next state is logged', () => state('/de/posts') !== undefined);
  await page.goto('/ar');
  await until('the state of a new document is logged', () => state('/ar') !== undefined);

  await page.goto('/ar#dev=0');
  await page.goto('/pl');
  await untilScriptsRun(page);
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('developer-mode');
  expect(problems).toEqual([]);
});
