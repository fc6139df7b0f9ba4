import { expect, test } from 'vitest';
import { visitInBrowser } from '../support/browser-visit.ts';
import { startProduct } from '../support/product.ts';
import {
  answerBar,
  bar,
  look,
  recordVisitor,
  stored,
  tagHost,
  withConsent,
  withoutConsent,
} from '../support/recorded-visit.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';
import { until } from '../support/until.ts';

const site = siteFile({ ...twoExperiments, consent: 'implied', tag_ids: { en: 'T-1' }, tag_host: tagHost });
const visits = visitInBrowser(() => startProduct({ env: { SITE_CONFIG: site } }));

const daySeconds = 86_400;

/** The specification's lifetimes; browsers keep no cookie for longer than 400 days. */
const lives: Readonly<Record<string, number>> = {
  visitor_guid: 365 * daySeconds,
  finger_id: 30 * daySeconds,
  doc_id: daySeconds,
  visit_timestamp: daySeconds,
  token_id: 365 * daySeconds,
  s_id: 1800,
  guest_record: 30 * daySeconds,
  sidebarAB: 30 * daySeconds,
};

test('the first page counts when consent is implied, and the visitor can still refuse', async () => {
  const { context, page, reported, forget } = await recordVisitor(visits);
  await look(page, '/');
  expect(await bar(page).isVisible()).toBe(false);
  const present = async () => new Map((await context.cookies()).map((cookie) => [cookie.name, cookie]));
  await until('the server has named the visitor', async () => (await present()).has('token_id'));
  const cookies = await present();
  for (const [name, lifeS] of Object.entries(lives)) {
    const left = (cookies.get(name)?.expires ?? 0) - Date.now() / 1000;
    expect([name, Math.round(left / 60)]).toEqual([name, expect.closeTo(lifeS / 60, -1)]);
  }
  expect(cookies.get('path_track')).toMatchObject({ value: 'index', expires: -1 });
  // The visitor has not answered.
  expect(cookies.has('consent')).toBe(false);
  for (const name of await stored(context, page)) expect(name).toMatch(withConsent);
  expect(reported()).toContain('POST /api/web/report');
  expect(await page.title()).toBe('tagged');

  const policy = await (await page.request.get('/privacy-policy')).text();
  expect(policy).toMatch(/collected until you decline.*with your IP address.*Statistics, until you decline/s);
  expect(policy).toContain('another company’s script is loaded');
  await page.locator('footer a[href="#consent"]').click();
  forget();
  const reloaded = page.waitForEvent('load');
  await answerBar(page, 'none');
  await expect.poll(() => reported()).toContain('DELETE /api/web/report');
  // Without the cookies of the tag, although its script has run.
  await reloaded;
  expect((await present()).get('consent')?.value).toBe('1.00');
  forget();
  for (const path of ['/', '/contact', '/posts']) {
    await look(page, path);
    expect(await page.title()).not.toBe('tagged');
    for (const name of await stored(context, page)) expect(name).toMatch(withoutConsent);
  }
  expect(reported()).toEqual([]);
});

test('does not count a browser that refuses for its user there either', async () => {
  const { context, page, reported } = await recordVisitor(visits, { extraHTTPHeaders: { 'sec-gpc': '1' } });
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
  );
  await look(page, '/');
  for (const name of await stored(context, page)) expect(name).toMatch(withoutConsent);
  expect(reported()).toEqual([]);
});

test('the visitor can also refuse without scripts', async () => {
  const { context, page } = await recordVisitor(visits, { javaScriptEnabled: false });
  await page.goto('/de');
  expect(await bar(page).isVisible()).toBe(false);
  await page.locator('footer a[href="#consent"]').click();
  expect(await bar(page).isVisible()).toBe(true);
  await answerBar(page, 'none');
  await page.waitForURL(({ pathname }) => pathname === '/de');
  await until('it is kept', async () =>
    (await context.cookies()).some(({ name, value }) => name === 'consent' && value === '1.00'),
  );
});
