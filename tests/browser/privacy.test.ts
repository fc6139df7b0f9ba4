import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { untilAddress } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { runCli } from '../support/cli.ts';
import { type MonitoringServer, startMonitoringServer } from '../support/monitoring-server.ts';
import { startProduct } from '../support/product.ts';
import { startDemoWith } from '../support/promotion.ts';
import {
  answerBar,
  bar,
  look,
  lookAtAll,
  recordVisitor,
  stored,
  tagHost,
  withConsent,
  withoutConsent,
} from '../support/recorded-visit.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';
import { until } from '../support/until.ts';

/** English has a tag, and the other languages have none. */
const site = siteFile({ ...twoExperiments, tag_ids: { en: 'T-1' }, tag_host: tagHost });
const visits = visitInBrowser(() => startProduct({ env: { SITE_CONFIG: site } }));

/** One of each kind of page. */
const paths = [
  '/',
  '/tiktok-downloader',
  '/posts',
  '/posts/guides',
  '/save-tiktok-video-iphone',
  '/view-articles',
  '/author',
  '/author/editorial-team',
  '/contact',
  '/contact-new1',
  '/dmca',
  '/cookies-policy',
  '/pagelink',
  '/api',
  '/no-such-page',
  '/ar',
];

/** The pages that differ in what they store; the audit checks all. */
const before = sample(paths, (path) =>
  [
    '/',
    '/posts/guides',
    '/save-tiktok-video-iphone',
    '/author',
    '/contact',
    '/api',
    '/no-such-page',
  ].includes(path),
);
/** After an answer the code is the same on each. */
const afterwards = sample(paths, (path) => ['/', '/contact'].includes(path));

const minute = 60_000;

/** Opens every kind of page, and expects that only permitted items are stored. */
const expectOnly = (context: BrowserContext, allowed: RegExp, isAsked: boolean, list: readonly string[]) =>
  lookAtAll(context, list, async (page, path) => {
    expect(await bar(page).isVisible(), path).toBe(isAsked);
    const others = (await stored(context, page)).filter((name) => !allowed.test(name));
    expect(others, path).toEqual([]);
  });

const consentOf = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'consent')?.value;

test('stores and reports nothing that needs consent before an answer', { timeout: minute }, async () => {
  const { context, page, reported } = await recordVisitor(visits);
  await expectOnly(context, withoutConsent, true, before);
  expect(await consentOf(context)).toBeUndefined();
  await look(page, '/');
  // The list also contains the caches of the site's worker.
  await until('the worker keeps pages', async () =>
    (await stored(context, page)).some((name) => name.startsWith('cacheStorage pages-')),
  );
  expect(reported()).toEqual([]);
});

test('stores and reports nothing after a refusal either', { skip: !isAudit, timeout: minute }, async () => {
  const { context, page, reported } = await recordVisitor(visits);
  await look(page, '/');
  await answerBar(page, 'none');
  expect(await bar(page).isVisible()).toBe(false);
  await expectOnly(context, withoutConsent, false, afterwards);
  expect(await consentOf(context)).toBe('1.00');
  expect(reported()).toEqual([]);
});

describe.runIf(isAudit)('on a site with everything that it can have', () => {
  /** A site that also reports errors, sends notifications and promotes something of every kind. */
  const everything = visitInBrowser(async () => {
    monitoring = await startMonitoringServer();
    const { output } = await runCli(['push', 'keys', '--json'], {});
    const { publicKey, privateKey } = JSON.parse(output) as { publicKey: string; privateKey: string };
    const fields = { tag_ids: { en: 'T-1' }, tag_host: tagHost, partner_domains: ['partner.example'] };
    return startDemoWith(fields, {
      SENTRY_DSN: monitoring.dsn,
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      VAPID_SUBJECT: 'mailto:operator@site.example',
    });
  });
  let monitoring: MonitoringServer;
  afterAll(() => monitoring.close());

  test('stores and reports nothing that needs consent either', { timeout: 2 * minute }, async () => {
    const { context, page, reported } = await recordVisitor(everything);
    await look(page, '/');
    // It is present, and would report.
    await page.locator('.push-switch:not([hidden])').waitFor();
    await page.locator('.promotion [data-popup]').first().waitFor();
    const loaded = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .join(),
      );
    await until('errors are waited for', async () => /\/_app\/client-/.test(await loaded()));
    await expectOnly(context, withoutConsent, true, paths);
    await answerBar(page, 'none');
    await expectOnly(context, withoutConsent, false, paths);
    expect(await consentOf(context)).toBe('1.00');
    expect(reported()).toEqual([]);
    expect(monitoring.reports).toEqual([]);
  });
});

async function agree(context: BrowserContext, page: Page): Promise<void> {
  await look(page, '/');
  await answerBar(page, 'all');
  await until('the server has named the visitor', async () =>
    (await context.cookies()).some(({ name }) => name === 'token_id'),
  );
}

test('there is nothing unlisted after agreement', { timeout: minute }, async () => {
  const { context, page, reported } = await recordVisitor(visits);
  await agree(context, page);
  await expectOnly(context, withConsent, false, afterwards);
  const all = await stored(context, page);
  for (const name of [
    'visitor_guid',
    'finger_id',
    'doc_id',
    'visit_timestamp',
    's_id',
    'path_track',
    'guest_record',
  ])
    expect(all).toContain(`cookie ${name}`);
  const allowed = /^(?:GET https:\/\/tags\.example\/gtag\/js\?id=T-1|POST \/api\/web\/report)$/;
  for (const request of reported()) expect(request).toMatch(allowed);
  await look(page, '/');
  expect(await page.title()).toBe('tagged');
  await look(page, '/de');
  expect(await page.title()).not.toBe('tagged');
});

test('nothing of it is left after withdrawal, in no tab and on no kind of page', {
  timeout: minute,
}, async () => {
  const { context, page, reported, forget } = await recordVisitor(visits);
  const other = await context.newPage();
  await look(other, '/contact');
  await agree(context, page);
  await look(page, '/');
  expect(await stored(context, page)).toContain('cookie _ga_T1');
  await expect.poll(() => bar(other).isVisible()).toBe(false);
  await look(page, '/de');
  await page.locator('footer a[href="#consent"]').click();
  forget();
  await answerBar(page, 'none');
  await expect.poll(() => reported()).toContain('DELETE /api/web/report');
  await until('the cookies are gone', async () =>
    (await stored(context, page)).every((name) => withoutConsent.test(name)),
  );
  forget();
  // The other tab would report here.
  await other.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expectOnly(context, withoutConsent, false, afterwards);
  expect(await other.title()).not.toBe('tagged');
  expect(reported()).toEqual([]);
});

const signals = [
  ['Global Privacy Control', 'globalPrivacyControl', true, { 'sec-gpc': '1' }, paths],
  ['Do Not Track', 'doNotTrack', '1', { dnt: '1' }, paths.slice(0, 3)],
] as const;

describe.each(sample(signals, ([name]) => name === 'Do Not Track'))(
  '%s',
  (_, property, value, headers, list) => {
    test('counts as a refusal, and nobody is asked', { timeout: minute }, async () => {
      const { context, page, reported } = await recordVisitor(visits, { extraHTTPHeaders: headers });
      await context.addInitScript(([name, said]) => Object.defineProperty(navigator, name, { value: said }), [
        property,
        value,
      ] as const);
      await expectOnly(context, withoutConsent, false, list);
      await look(page, '/contact');
      await page.locator('footer a[href="#consent"]').click();
      expect(await bar(page).locator('button').first().isVisible()).toBe(false);
      await bar(page).locator('.consent-refused a').click();
      expect(await bar(page).isVisible()).toBe(false);
      expect(reported()).toEqual([]);
    });
  },
);

test('the bar works without scripts: an answer removes it, and a link brings it back', {
  timeout: minute,
}, async () => {
  const { context, page, reported } = await recordVisitor(visits, { javaScriptEnabled: false });
  const cookies = async () => (await context.cookies()).map(({ name }) => `cookie ${name}`);
  const visitAll = async (isAsked: boolean) => {
    for (const path of afterwards) {
      await page.goto(path);
      expect(await bar(page).isVisible(), path).toBe(isAsked);
    }
    for (const name of await cookies()) expect(name).toMatch(withoutConsent);
  };
  await visitAll(true);
  expect(await cookies()).toContain('cookie sidebarAB');
  await page.goto('/de/contact');
  await answerBar(page, 'none');
  await untilAddress(page, '/de/contact');
  expect(await bar(page).isVisible()).toBe(false);
  await page.locator('footer a[href="#consent"]').click();
  expect(await bar(page).isVisible()).toBe(true);
  await answerBar(page, 'all');
  await untilAddress(page, '/de/contact');
  expect(await consentOf(context)).toBe('1.11');
  await visitAll(false);
  expect(reported()).toEqual([]);
});
