import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { consentValue } from '../../src/site/consent/consent-cookie.ts';
import { violations } from '../support/audit/axe.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { changeTo, untilAddress, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import type { Journey } from '../support/journey.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { hasResult } from '../support/tool-visits.ts';

const canonical = 'https://clipferry.example';

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await sharedJourney();
  return journey.product;
});

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };
const panel = '.share-panel[data-shown]';

/** Records shifts from the moment at which the bar appears, without a visitor's action. */
const noteShifts = (page: Page) =>
  page.addInitScript((selector) => {
    const noted = globalThis as { shifts?: number };
    noted.shifts = 0;
    let sinceMs = Number.POSITIVE_INFINITY;
    new MutationObserver((_, observer) => {
      if (document.querySelector(selector) === null) return;
      sinceMs = performance.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        if (entry.startTime >= sinceMs) noted.shifts = (noted.shifts ?? 0) + entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  }, panel);

const shifts = (page: Page) => page.evaluate(() => (globalThis as { shifts?: number }).shifts);

/** The texts, pictures and controls that the bar covers, from the page's top to its end. */
const covered = (page: Page) =>
  page.evaluate(async (selector) => {
    const found = new Set<string>();
    const bar = document.querySelector(selector);
    const things =
      ':is(header, main, footer, .consent) :is(a, button, input, textarea, summary, img, svg, p, li, h1, h2, h3, td, code, span)';
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 3) {
      scrollTo(0, top);
      await new Promise(requestAnimationFrame);
      const own = bar?.getBoundingClientRect() ?? new DOMRect();
      for (const thing of document.querySelectorAll(things)) {
        const range = document.createRange();
        range.selectNodeContents(thing);
        const box =
          thing.childNodes.length > 0 ? range.getBoundingClientRect() : thing.getBoundingClientRect();
        const isDrawn =
          thing.checkVisibility() && box.width > 1 && getComputedStyle(thing).position !== 'absolute';
        const meets =
          box.left < own.right && box.right > own.left && box.top < own.bottom && box.bottom > own.top;
        if (isDrawn && meets && thing.closest('.hero-wave') === null)
          found.add(thing.outerHTML.slice(0, 100));
      }
    }
    return [...found];
  }, panel);

/** Responds to requests for other sites without contacting them. */
const standIn = (context: BrowserContext) =>
  context.route(/^https:\/\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>elsewhere</title>' }),
  );

const desktops = [
  [1025, 768],
  [1440, 900],
] as const;
const prefixes = sample(['', '/ar'], (prefix) => prefix === '/ar');
const mobileWidths = sample([360, 768, 1024], (width) => width === 360);

describe.each(sample(desktops, ([width]) => width === 1025))('on a desktop of %i pixels', (width, height) => {
  test.each(prefixes)('the bar is always there and covers nothing, under "%s"', async (prefix) => {
    const { page, problems } = await visits.open({ viewport: { width, height }, bypassCSP: true });
    await noteShifts(page);
    for (const path of [`${prefix}/`, `${prefix}/download-mp3-tiktok`]) {
      await page.goto(path);
      await page.locator(panel).waitFor();
      expect([path, await shifts(page)]).toEqual([path, 0]);
      expect([path, await covered(page)]).toEqual([path, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    await page.goto(`${prefix}/?${new URLSearchParams({ url: journey.platform.link('ordinary') })}`);
    await hasResult(page);
    await page.locator(panel).waitFor();
    expect(await covered(page)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

test('a network opens in a small window that knows neither this window nor its address', async () => {
  const { page, context } = await visits.open({ viewport: { width: 1440, height: 900 } });
  await standIn(context);
  await page.goto('/?source=mail');
  const opens = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Share on Reddit' }).click();
  const popup = await opens;
  await popup.waitForLoadState();
  const asked = new URL(popup.url());
  expect(asked.origin + asked.pathname).toBe('https://www.reddit.com/submit');
  expect(Object.fromEntries(asked.searchParams)).toEqual({ url: `${canonical}/`, title: await page.title() });
  expect(await popup.evaluate(() => [opener, document.referrer, innerWidth, innerHeight])).toEqual([
    null,
    '',
    626,
    436,
  ]);
  expect(new URL(page.url()).pathname).toBe('/');
});

test('shares a result as the page it is on, and with its post once a file of it was saved', async () => {
  const { page, context } = await visits.open({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const link = journey.platform.link('ordinary');
  await page.goto(`/de/tiktok-downloader?${new URLSearchParams({ url: link })}`);
  await hasResult(page);
  await page.getByRole('button', { name: 'Link kopieren' }).click();
  await page.locator('.share-answer', { hasText: 'Link kopiert' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${canonical}/de/tiktok-downloader`);
  const links = await page.locator('.share-item[href]').evaluateAll((all) => all.map((one) => String(one)));
  expect(links.length).toBeGreaterThan(4);
  for (const one of links) {
    const values = [...new URL(one).searchParams.values()];
    expect(values.some((value) => value.endsWith(copied))).toBe(true);
    expect(decodeURIComponent(one)).not.toContain('tiktok.com');
  }
  const saved = page.waitForEvent('download');
  await page.locator('.option-link').first().click();
  await (await saved).path();
  await page.locator('[data-stage="saved"]').waitFor();
  await page.getByRole('button', { name: 'Link kopieren' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${copied}?${new URLSearchParams({ url: link })}`);
  await context.clearCookies();
});

test('the system’s share sheet comes first if there is one, and may be closed or refused', async () => {
  const { page } = await visits.open({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => {
    const given: unknown[] = [];
    Object.assign(globalThis, { given });
    Object.defineProperty(Navigator.prototype, 'share', {
      value: async (data: unknown) => {
        given.push(data);
        if (given.length > 1)
          throw new DOMException('no', given.length === 2 ? 'AbortError' : 'NotAllowedError');
      },
    });
  });
  await page.goto('/download-mp3-tiktok');
  const sheet = page.locator('.share-item').first();
  await sheet.click();
  expect(await page.evaluate('given')).toEqual([
    { title: await page.title(), url: `${canonical}/download-mp3-tiktok` },
  ]);
  await sheet.click();
  expect(await page.locator('.share-answer').textContent()).toBe('');
  await sheet.click();
  await page.locator('.share-answer', { hasText: 'Your browser didn’t allow that.' }).waitFor();
});

test('without a share sheet the networks come first, and follow the page and its language', {
  skip: !isAudit,
}, async () => {
  const { page, problems } = await visits.open({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript('delete Navigator.prototype.share');
  await page.goto('/');
  const first = page.locator('.share-item').first();
  expect(await first.getAttribute('aria-label')).toBe('Share on Facebook');
  await page.locator('.header-menu a', { hasText: 'MP3' }).first().click();
  await untilAddress(page, '/download-mp3-tiktok');
  await expect
    .poll(() => first.getAttribute('href'))
    .toContain(encodeURIComponent(`${canonical}/download-mp3-tiktok`));
  await page.locator('.footer-languages a', { hasText: '日本語' }).click();
  await untilAddress(page, '/ja/download-mp3-tiktok');
  await expect.poll(() => first.getAttribute('aria-label')).toBe('LINEで共有');
  const line = new URL((await first.getAttribute('href')) ?? '');
  expect(line.searchParams.get('url')).toBe(`${canonical}/ja/download-mp3-tiktok`);
  expect(line.searchParams.get('text')).toBe(await page.title());
  expect(problems).toEqual([]);
});

test('pages that nobody shares have no bar: a form, or a page that cannot be found', {
  skip: !isAudit,
}, async () => {
  const { page } = await visits.open({ viewport: { width: 1440, height: 900 } });
  await page.goto('/tiktok-downloader');
  await page.locator(panel).waitFor();
  await changeTo(page, '/contact');
  await page.locator('.message-form').waitFor();
  await page.locator('.share-bar').waitFor({ state: 'detached' });
  await page.goto('/nothing-here');
  await untilScriptsRun(page);
  await page.locator('.error-screen').waitFor();
  expect(await page.locator('.share-bar').count()).toBe(0);
});

/** Stops the page's clock once the bar waits for scrolling. */
async function openOnPhone(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await page.goto(path);
  await page.locator(panel).waitFor({ state: 'attached' });
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Scrolls, and lets the next frame be drawn. */
async function scroll(page: Page, top: number): Promise<void> {
  await page.evaluate(
    (to) =>
      new Promise<void>((resolve) => {
        addEventListener('scroll', () => resolve(), { once: true });
        scrollTo({ top: to, behavior: 'instant' });
      }),
    top,
  );
  await page.clock.runFor(20);
}

const isShown = (page: Page) => page.locator(panel).getAttribute('data-shown');

describe.each(mobileWidths)('in a mobile window of %i pixels', (width) => {
  test.each(prefixes)('the bar appears while the page is scrolled, under "%s"', async (prefix) => {
    const { page, problems } = await visits.open({
      viewport: { width, height: 740 },
      hasTouch: true,
    });
    await noteShifts(page);
    await openOnPhone(page, `${prefix}/`);
    await scroll(page, 1500);
    expect(await isShown(page)).toBe('false');
    await page.clock.runFor(5000);
    await scroll(page, 1600);
    await expect.poll(() => isShown(page)).toBe('true');
    await page.clock.runFor(100);
    await scroll(page, 1700);
    await page.clock.runFor(170);
    expect(await isShown(page)).toBe('true');
    const own = await page.locator(panel).boundingBox();
    expect((own?.y ?? 0) + (own?.height ?? 0)).toBeLessThanOrEqual(740);
    expect(own?.width).toBeLessThanOrEqual(width);
    await page.clock.runFor(50);
    expect(await isShown(page)).toBe('false');
    expect(await shifts(page)).toBe(0);
    expect(problems).toEqual([]);
  });
});

/** Whether the bar is visible or can be pressed where the visitor needs the room. */
const isInTheWay = (page: Page) =>
  page.evaluate((selector) => {
    const own = document.querySelector(`${selector}:not([inert])`)?.getBoundingClientRect();
    return ['.hero-form', '.outcome', '.consent'].some((one) => {
      const box = document.querySelector(one)?.getBoundingClientRect();
      return own !== undefined && box !== undefined && own.top < box.bottom && own.bottom > box.top;
    });
  }, panel);

test('makes room for the link box and the result on a phone', { skip: !isAudit }, async () => {
  const { page } = await visits.open(phone);
  await openOnPhone(page, `/?${new URLSearchParams({ url: journey.platform.link('ordinary') })}`);
  await hasResult(page);
  await page.clock.runFor(5000);
  const bottom = await page.evaluate(
    () => (document.querySelector('.outcome')?.getBoundingClientRect().bottom ?? 0) + scrollY,
  );
  for (let top = 0; top < bottom; top += 150) {
    await scroll(page, top + 1);
    await expect.poll(() => isInTheWay(page)).toBe(false);
  }
  await scroll(page, bottom + 200);
  await expect.poll(() => isShown(page)).toBe('true');
});

test('a touch beside its buttons closes it for a day on a phone, and so does Escape', {
  skip: !isAudit,
}, async () => {
  const { page, context } = await visits.open(phone);
  await openOnPhone(page, '/');
  await page.clock.runFor(5000);
  await scroll(page, 1500);
  await expect.poll(() => isShown(page)).toBe('true');
  await page
    .locator(panel)
    .evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  const { x = 0, y = 0, width = 0 } = (await page.locator(panel).boundingBox()) ?? {};
  await page.touchscreen.tap(x + width / 2, y + 2);
  await expect.poll(() => page.locator('.share-bar').count()).toBe(0);
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'popup_date');
  expect(cookie?.value).toMatch(/^share-bar:\d+$/);
  await page.clock.resume();
  const extras = page.waitForResponse(/\/extras-[^/]*\.js$/);
  await page.goto('/tiktok-downloader');
  await extras;
  await page.clock.fastForward(10_000);
  expect(await page.locator('.share-bar').count()).toBe(0);
  await context.clearCookies();
  await page.goto('/');
  await page.locator(panel).waitFor({ state: 'attached' });
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await page.clock.runFor(5000);
  await scroll(page, 1500);
  await expect.poll(() => isShown(page)).toBe('true');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.share-bar').count()).toBe(0);
});

describe.each(mobileWidths)('by keyboard in a mobile window of %i pixels', (width) => {
  test('the bar follows the page in the tab order, and stays while it has the focus', {
    skip: !isAudit,
  }, async () => {
    const { page } = await visits.open({ viewport: { width, height: 740 }, bypassCSP: true });
    await page.goto('/tiktok-downloader');
    await page.locator(panel).waitFor({ state: 'attached' });
    await page.locator('.footer a').last().focus();
    const focused = page.locator('.share-bar :focus');
    await expect
      .poll(async () => {
        if ((await focused.count()) === 0) await page.keyboard.press('Tab');
        return focused.count();
      })
      .toBe(1);
    expect(await focused.getAttribute('aria-label')).toMatch(/^Share/);
    expect(await isShown(page)).toBe('true');
    expect(await violations(page)).toEqual([]);
    expect(await isShown(page)).toBe('true');
  });
});

const withoutScripts = [
  [360, 740],
  [1440, 900],
] as const;

test.runIf(isAudit).each(withoutScripts)(
  'shows plain links without scripts, %i pixels wide',
  async (width, height) => {
    const { page, problems } = await visits.open({ viewport: { width, height }, javaScriptEnabled: false });
    await page.goto('/ru/tiktok-downloader');
    const bar = page.locator('.share-bar');
    await bar.scrollIntoViewIfNeeded();
    const [own, footer] = await Promise.all(
      ['.share-bar', '.footer'].map((one) => page.locator(one).boundingBox()),
    );
    if (width < 1025) expect((own?.y ?? 0) + (own?.height ?? 0)).toBeLessThanOrEqual(footer?.y ?? 0);
    else expect(own?.x).toBeLessThan(20);
    const vk = page.locator('.share-item').first();
    expect(await vk.getAttribute('aria-label')).toBe('Поделиться в VK');
    expect(await vk.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    const { origin, searchParams } = new URL((await vk.getAttribute('href')) ?? '');
    expect(origin).toBe('https://vk.com');
    expect(searchParams.get('url')).toBe(`${canonical}/ru/tiktok-downloader`);
    expect(searchParams.get('title')).toBe(await page.title());
    expect(searchParams.get('image')).toMatch(/^https:\/\/[\w.]+\/share\/ru\/tiktok-downloader\.png\?v=\w+$/);
    expect(await page.locator('.share-bar button').count()).toBe(0);
    expect(problems).toEqual([]);
  },
);

test('counts for visitors who agreed which network they used, and nothing of what they shared', {
  skip: !isAudit,
}, async () => {
  const { page, context } = await visits.open({ viewport: { width: 1440, height: 900 } });
  await standIn(context);
  const reported: { event?: string; event_label?: string; event_target?: unknown }[] = [];
  await page.route('**/api/web/report', (route) => {
    const sent = route.request().postDataJSON() as { data: (typeof reported)[number] };
    reported.push(...[sent].flat().map(({ data }) => data));
    return route.fulfill({ json: { cscode: 0, data: {} } });
  });
  const ofBar = () => reported.filter(({ event, event_label }) => /share/.test(`${event} ${event_label}`));
  await page.goto('/');
  await page.getByRole('link', { name: 'Share on X' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  const { origin } = visits.product;
  await context.addCookies([
    { name: 'consent', value: consentValue({ statistics: true, marketing: false }), url: origin },
  ]);
  expect(reported).toEqual([]);
  await page.goto('/');
  await expect.poll(() => ofBar().length, { timeout: 15_000 }).toBe(1);
  await page.getByRole('link', { name: 'Share on X' }).click();
  await page.getByRole('link', { name: 'Share by email' }).evaluate((link) => {
    link.addEventListener('click', (event) => event.preventDefault());
  });
  await page.getByRole('link', { name: 'Share by email' }).click();
  await page.getByRole('button', { name: 'Close the share bar' }).click();
  await expect
    .poll(() => ofBar().map(({ event, event_label }) => [event, event_label]), { timeout: 15_000 })
    .toEqual(
      expect.arrayContaining([
        ['exposure', 'share_bar'],
        ['share', 'x'],
        ['share', 'email'],
        ['close_share_bar', undefined],
      ]),
    );
  expect(ofBar()).toHaveLength(4);
  expect(ofBar().find(({ event_label }) => event_label === 'x')?.event_target).toEqual({
    url: '/intent/post',
    fullurl: 'https://x.com/intent/post',
  });
});
