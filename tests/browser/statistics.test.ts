import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { consentValue } from '../../src/site/consent/consent-cookie.ts';
import { isAudit } from '../support/audit/scope.ts';
import { openPage, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { runCli } from '../support/cli.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { answerBar } from '../support/recorded-visit.ts';
import {
  type ReportServer,
  type SentReport,
  serverNames,
  startReportServer,
} from '../support/report-server.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';
import { until } from '../support/until.ts';

/** The site's own server ignores browsers that identify themselves as headless. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36';
const maxBytes = 4096;

let elsewhere: ReportServer;
let journey: Journey;
let ownProduct: RunningProduct;
let browser: Browser;
let opened: WatchedPage[] = [];

beforeAll(async () => {
  elsewhere = await startReportServer();
  const fields = {
    ...twoExperiments,
    statistics: true,
    partner_domains: ['partner.example'],
    app_ids: ['100', '200'],
  };
  const foreign = siteFile({ ...fields, analytics_url: `${elsewhere.origin}/collect` });
  [journey, ownProduct, browser] = await Promise.all([
    startJourney({ env: { SITE_CONFIG: foreign } }),
    startProduct({ env: { SITE_CONFIG: siteFile(fields) } }),
    sharedBrowser(),
  ]);
});
afterEach(async () => {
  await Promise.all(opened.map(({ context }) => context.close()));
  opened = [];
});
afterAll(async () => {
  await Promise.all([journey.stop(), ownProduct.stop()]);
  elsewhere.stop();
});

interface VisitOptions extends BrowserContextOptions {
  readonly consent?: { readonly statistics: boolean; readonly marketing: boolean };
  readonly origin?: string;
}

const all = { statistics: true, marketing: true };

/** A visitor who has given an answer, on a page. */
async function visit(path: string, { consent, origin = journey.product.origin, ...options }: VisitOptions) {
  const watched = await openPage(browser, origin, { userAgent, ...options });
  opened.push(watched);
  const { page, context } = watched;
  // Prefetches are omitted for visitors who save data.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  if (consent !== undefined)
    await context.addCookies([{ name: 'consent', value: consentValue(consent), url: origin }]);
  await page.goto(path);
  await untilScriptsRun(page);
  return { page, context, since: elsewhere.reports.length };
}

const cookiesOf = async (page: Page) =>
  Object.fromEntries(
    (await page.context().cookies()).map(({ name, value, expires }) => [name, { value, expires }]),
  );

const isView = (path: string) => (report: SentReport) =>
  report.mode === 'page_view' && String(report.data.url).endsWith(path);
const isEvent =
  (event: string, more: object = {}) =>
  (report: SentReport) =>
    report.mode === 'event' &&
    report.data.event === event &&
    Object.entries(more).every(([key, value]) => report.data[key] === value);

/** Adds a link to the page that leads nowhere. */
const addLink = (page: Page, attributes: Record<string, string>) =>
  page.evaluate((given) => {
    const link = document.createElement('a');
    for (const [name, value] of Object.entries(given)) link.setAttribute(name, value);
    link.textContent = 'Buy';
    link.addEventListener('click', (event) => event.preventDefault());
    document.querySelector('main')?.prepend(link);
  }, attributes);

test('a page view matches the specification, under the names that the server assigns', async () => {
  const { page } = await visit('/de/tiktok-downloader?utm_source=x', { consent: all });
  const { data, upload_id } = await elsewhere.wait('page view', isView('/de/tiktok-downloader'));
  expect(upload_id).toMatch(/^[\da-f-]{36}$/);
  expect(data).toEqual({
    tmp_token_id: expect.stringMatching(/^[\da-f-]{36}$/),
    url: `${journey.product.origin}/de/tiktok-downloader`,
    finger_id: expect.stringMatching(/^[\da-f-]{36}$/),
    scroll_height: expect.any(Number),
    viewport_height: 720,
    viewport_width: 1280,
    web_version: '2.2.6',
    ga_ids: { year: expect.stringMatching(/^\d{4}$/), day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    lang_domain: `de.${new URL(journey.product.origin).host}`,
    xargs_request_type: 'axios',
    highest_page_viewed_percent: expect.any(Number),
    ab_try_list: [
      { key: 'sidebarAB', version: '1', value: expect.stringMatching(/^[ab]$/), expire_day: 30 },
      { key: 'resourceBannerAB', version: '1', value: expect.stringMatching(/^[ab]$/), expire_day: 30 },
    ],
  });
  await until('the answer is kept', async () => (await cookiesOf(page)).token_id !== undefined);
  const cookies = await cookiesOf(page);
  for (const name of ['token_id', 'doc_id', 's_id'] as const)
    expect(cookies[name]?.value).toBe(serverNames[name]);
  expect(cookies.visit_timestamp?.value).toBe(String(serverNames.visit_timestamp));
  expect(cookies.tmp_token_id).toBeUndefined();
  const livesS = (cookies.s_id?.expires ?? 0) - Date.now() / 1000;
  expect(livesS).toBeGreaterThan(500);
  expect(livesS).toBeLessThanOrEqual(600);
  expect(cookies.path_track?.value).toBe('tiktok-downloader');
  const guest = JSON.parse(decodeURIComponent(cookies.guest_record?.value ?? '')) as object;
  expect(Object.keys(guest)).toEqual([
    'last_active',
    'session_count',
    'created_at',
    'user_agent',
    'popup_count',
  ]);
});

test('a visitor who writes to the site is identified by their address from then on, until they withdraw', {
  skip: !isAudit,
}, async () => {
  const { page, context } = await visit('/contact', { consent: all });
  await elsewhere.wait('page view', isView('/contact'));
  const fields = {
    name: 'Ada',
    email: 'ada+form@example.org',
    subject: 'A question',
    message: 'How do I save a slideshow with its sound?',
  };
  for (const [name, value] of Object.entries(fields)) await page.fill(`#field-${name}`, value);
  await page.click('.message-form button[type=submit]');
  await page.locator('.message-sent').waitFor();
  const { value, expires } = (await cookiesOf(page)).email ?? { value: '', expires: 0 };
  expect(value).toBe('ada%2Bform%40example.org');
  // The longest lifetime that browsers allow: ten years were requested.
  expect(expires - Date.now() / 1000).toBeGreaterThan(390 * 86_400);
  await page.goto('/contact?again');
  const filled = () => page.inputValue('#field-email');
  await until('the form is filled in', async () => (await filled()) === fields.email);
  await elsewhere.wait('it goes with the reports', ({ data }) => data.email === fields.email);
  const { origin } = journey.product;
  await context.addCookies([
    { name: 'consent', value: consentValue({ ...all, statistics: false }), url: origin },
  ]);
  await page.goto('/contact?withdrawn');
  await page.mouse.move(10, 10);
  await until('it is forgotten', async () => {
    await page.mouse.move(20, 20);
    return (await cookiesOf(page)).email === undefined;
  });
  expect(await filled()).toBe('');
});

test('counts what pops up by itself once it is seen', { skip: !isAudit }, async () => {
  const { page } = await visit('/dmca', { consent: all });
  await elsewhere.wait('page view', isView('/dmca'));
  const popups = async () => {
    const record = (await cookiesOf(page)).guest_record?.value ?? '%7B%7D';
    return (JSON.parse(decodeURIComponent(record)) as { popup_count?: number }).popup_count;
  };
  expect(await popups()).toBe(0);
  const sent = elsewhere.reports.length;
  await page.evaluate(() => {
    const card = document.createElement('div');
    card.dataset.popup = '';
    card.textContent = 'News';
    document.querySelector('main')?.prepend(card);
  });
  await until('it is counted', async () => (await popups()) === 1);
  await page.goto('/dmca');
  await elsewhere.wait(
    'the next view',
    (report) => isView('/dmca')(report) && elsewhere.reports.indexOf(report) >= sent,
  );
  expect(await popups()).toBe(1);
});

test('reports reading in milestones, once each, and how far it went when the page is left', {
  skip: !isAudit,
}, async () => {
  const { page, since } = await visit('/ar/download-mp3-tiktok', { consent: all });
  await elsewhere.wait('page view', isView('/ar/download-mp3-tiktok'));
  const scrollDown = (share: number) =>
    page.evaluate(
      (part) => window.scrollTo(0, document.documentElement.scrollHeight * part - innerHeight),
      share,
    );
  await scrollDown(0.65);
  await elsewhere.wait('60 percent', isEvent('page_scroll', { event_label: '60' }));
  await scrollDown(0.3);
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('header a[href="/ar/posts"]')?.click());
  await elsewhere.wait('the next page', isView('/ar/posts'));
  const reports = elsewhere.reports.slice(since);
  const scrolls = reports.filter(({ data }) => data.event === 'page_scroll');
  expect(scrolls.map(({ data }) => data.event_label)).toEqual(['20', '40', '60']);
  const left = reports.find(isEvent('page_view', { event_label: 'leave' }));
  expect(left?.data.highest_page_viewed_percent).toBeGreaterThanOrEqual(64);
  expect(left?.data.highest_page_viewed_percent).toBeLessThanOrEqual(66);
  expect(String(left?.data.url)).toMatch(/\/ar\/download-mp3-tiktok$/);
  const next = reports.find(isView('/ar/posts'));
  expect(next?.data).toMatchObject({
    referer_url: left?.data.url,
    token_id: serverNames.token_id,
    xargs_request_type: 'send_beacon',
  });
  expect((await cookiesOf(page)).path_track?.value).toBe('download-mp3-tiktok,posts');
});

test('reports where a visitor comes from without their search, and without the link they pasted', {
  skip: !isAudit,
}, async () => {
  const { page, since } = await visit('/nl/dmca', { consent: all });
  await page.goto('/nl/contact', { referer: `${journey.product.origin}/nl?url=https://pasted.example/x#y` });
  await until('the page is told', () => elsewhere.reports.slice(since).some(isView('/nl/contact')));
  const { data } = elsewhere.reports.slice(since).find(isView('/nl/contact')) as SentReport;
  expect(data.referer_url).toBe(`${journey.product.origin}/nl`);
  // As after an answer that a browser submitted as a form.
  await page.goto('/nl/pagelink', { referer: `${journey.product.origin}/nl/pagelink?utm_source=x` });
  const again = await elsewhere.wait('the page', isView('/nl/pagelink'));
  expect(again.data).not.toHaveProperty('referer_url');
});

test('an answer before its script has loaded loads no document, and reports where the visitor came from', {
  skip: !isAudit,
}, async () => {
  const { context, page } = await openPage(browser, journey.product.origin, { userAgent });
  opened.push({ context, page } as WatchedPage);
  let release = () => {};
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/answering/, async (route) => {
    await late;
    await route.continue();
  });
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest())
      documents.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.goto('/sv/dmca?utm_source=x', { referer: 'https://search.example/abc?q=private' });
  await untilScriptsRun(page);
  await page.locator('.consent-answers button[value=all]').click();
  release();
  const { data } = await elsewhere.wait('page view', isView('/sv/dmca'));
  expect(data.referer_url).toBe('https://search.example/abc');
  expect(documents).toEqual(['GET /sv/dmca']);
});

test('reports a page that is left at once after scrolling with how far it was read, and with its own data', {
  skip: !isAudit,
}, async () => {
  const { page, since } = await visit('/it/download-mp3-tiktok', { consent: all });
  const reported = await elsewhere.wait('page view', isView('/it/download-mp3-tiktok'));
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener('scroll', () => resolve(), { once: true });
        scrollTo(0, document.documentElement.scrollHeight);
      }),
  );
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('header a[href="/it/posts"]')?.click());
  await elsewhere.wait('the next page', isView('/it/posts'));
  const left = elsewhere.reports.slice(since).find(isEvent('page_view', { event_label: 'leave' }));
  expect(left?.data).toMatchObject({
    highest_page_viewed_percent: 100,
    scroll_height: reported.data.scroll_height,
    lang_domain: reported.data.lang_domain,
  });
});

test('counts simultaneous clicks as one, and a resting pointer and half in view; only partners learn who comes', {
  skip: !isAudit,
}, async () => {
  const { page, since } = await visit('/tr/contact', { consent: all });
  await elsewhere.wait('page view', isView('/tr/contact'));
  await addLink(page, { href: 'https://shop.example/checkout.htm?a=b' });
  await addLink(page, { href: 'https://www.partner.example/guide?x=1' });
  await elsewhere.wait('in view', isEvent('exposure', { event_label: 'buy_now' }));
  const link = page.locator('a[href*="checkout.htm"]');
  await link.hover();
  await elsewhere.wait('resting', isEvent('hover', { event_label: 'buy_now' }));
  await link.dblclick();
  const { data } = await elsewhere.wait('click', isEvent('buy_now'));
  expect(data.event_target).toEqual({ url: '/checkout.htm', fullurl: 'https://shop.example/checkout.htm' });
  await page.waitForFunction(() => document.querySelector('a[href*="token_id"]') !== null);
  const hrefs = await page.evaluate(() =>
    [...document.links].map(({ href }) => href).filter((href) => href.includes('token_id')),
  );
  expect(hrefs).toEqual([
    `https://www.partner.example/guide?x=1&token_id=${serverNames.token_id}&s_id=${serverNames.s_id}`,
  ]);
  await addLink(page, { href: '/x', 'data-vars-dpid': '42' });
  await page.locator('[data-vars-dpid]').click();
  const download = await elsewhere.wait('a program', isEvent('download', { event_label: 'p' }));
  expect(download.data).toMatchObject({ pids: ['42'], install: { app_id: '100', pid: '42' } });
  expect(elsewhere.reports.slice(since).filter(isEvent('buy_now'))).toHaveLength(1);
  // After withdrawal partners get no names any more.
  await page.locator('footer a[href="#consent"]').click();
  await answerBar(page, 'none');
  await page.waitForFunction(
    () => document.querySelector('a[href="https://www.partner.example/guide?x=1"]') !== null,
  );
  expect(await page.evaluate(() => document.querySelectorAll('a[href*="_id="]').length)).toBe(0);
});

test('reports a saved file with its option and duration, and why another file failed', async () => {
  const { page } = await visit('/', { consent: all });
  await page.locator('#link').fill(journey.platform.link('ordinary'));
  await page.locator('.link-submit').click();
  await page.getByRole('link', { name: /Download video/ }).click();
  const { data } = await elsewhere.wait('saved', isEvent('download', { event_label: 'mp4' }));
  expect(data).toMatchObject({
    event_value: 'success',
    file: { format: 'mp4', option: 'mp4', outcome: 'success', first_byte_ms: expect.any(Number) },
  });
});

test('everything waits while offline, also across a page change, and is never sent twice', {
  skip: !isAudit,
}, async () => {
  const { page, context } = await visit('/contact', { consent: all });
  await elsewhere.wait('page view', isView('/contact'));
  await until('the answer is kept', async () => (await cookiesOf(page)).token_id !== undefined);
  const before = elsewhere.reports.length;
  await context.setOffline(true);
  await page.clock.install();
  await addLink(page, { href: 'https://shop.example/order/subscribe.php' });
  await page.locator('a[href*="subscribe.php"]').click();
  // By then the click is a report, and waits.
  await page.clock.runFor(1700);
  expect(elsewhere.reports.length).toBe(before);
  await page.goto('about:blank');
  await context.setOffline(false);
  await page.goto('/dmca');
  await elsewhere.wait('what waited', isEvent('subscribe'));
  await elsewhere.wait('the next page', isView('/dmca'));
  const ids = elsewhere.reports.map(({ upload_id }) => upload_id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await page.evaluate(() => localStorage.getItem('waiting_reports'))).toBeNull();
});

test('without consent nothing is loaded, stored or sent; with it a few kilobytes load; withdrawal ends it', async () => {
  const scriptsOf = (page: Page) =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map((entry) => ({ name: entry.name, bytes: (entry as PerformanceResourceTiming).encodedBodySize })),
    );
  const origin = ownProduct.origin;
  const refused = await visit('/legal-disclaimer', {
    origin,
    consent: { statistics: false, marketing: true },
  });
  await refused.page.waitForFunction(() => new Promise((done) => requestIdleCallback(() => done(true))));
  const plain = new Set((await scriptsOf(refused.page)).map(({ name }) => name));
  expect(
    Object.keys(await cookiesOf(refused.page)).filter((name) => /_id$|guid|guest|track/.test(name)),
  ).toEqual([]);

  const { page, context } = await visit('/legal-disclaimer', {
    origin,
    consent: { statistics: true, marketing: false },
  });
  await until('the server has named the visitor', async () => (await cookiesOf(page)).token_id !== undefined);
  const more = (await scriptsOf(page)).filter(({ name }) => !plain.has(name));
  const texts = await Promise.all(more.map(async ({ name }) => (await fetch(name)).text()));
  const client = texts.findIndex((text) => text.includes('page_scroll'));
  // The sum of the files that it loads, alone or together with other later files.
  const own = more.filter(
    ({ name }, at) => at === client || texts[client]?.includes(`./${name.split('/').at(-1)}`),
  );
  const bytes = own.reduce((sum, one) => sum + one.bytes, 0);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  await until('it is counted', async () => {
    const { output } = await runCli(['statistics', 'events', '--json'], {
      DATA_DIR: ownProduct.dataFolder,
    });
    return output.includes('"legal-disclaimer"');
  });

  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/web/report')) posts.push(request.method());
  });
  await context.addCookies([
    { name: 'consent', value: consentValue({ statistics: false, marketing: false }), url: origin },
  ]);
  await page.clock.install();
  await page.evaluate(() => {
    // Earlier listeners have been notified by then.
    const heard = new Promise<unknown>((resolve) => {
      new BroadcastChannel('consent').onmessage = resolve;
    });
    new BroadcastChannel('consent').postMessage(null);
    return heard.then(() => undefined);
  });
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener('scroll', () => resolve(), { once: true });
        window.scrollTo(0, document.documentElement.scrollHeight);
      }),
  );
  // Longer than the delay of reading reports.
  await page.clock.runFor(1500);
  expect(posts).toEqual([]);
});
