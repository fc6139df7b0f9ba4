import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { consentValue } from '../../src/site/consent/consent-cookie.ts';
import { coveredByPromotion } from '../support/audit/promoted-page.ts';
import { isAudit } from '../support/audit/scope.ts';
import { untilAddress, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { eventually } from '../support/eventually.ts';
import type { Journey } from '../support/journey.ts';
import { startWithAds } from '../support/promotion.ts';
import { holdQuestions, submitLink } from '../support/tool-visits.ts';

let journey: Journey;
let watched: WatchedPage;
const visits = visitInBrowser(async () => {
  journey = await startWithAds();
  return journey.product;
});
afterEach(() => expect(watched.problems).toEqual([]));
afterAll(() => journey.platform.stop());

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36',
};

/** Answers the consent bar's question, if it is shown. */
type Agreed = { readonly statistics: boolean } | null;

/** Opens a page as a fresh visitor with reduced motion; `null` leaves the consent bar unanswered. */
async function open(options: BrowserContextOptions, agreed: Agreed = { statistics: false }): Promise<Page> {
  watched = await visits.open({ reducedMotion: 'reduce', bypassCSP: true, ...options });
  const { page, context } = watched;
  const value = agreed && consentValue({ ...agreed, marketing: false });
  if (value !== null) await context.addCookies([{ name: 'consent', value, url: journey.product.origin }]);
  return page;
}

async function look(path: string, options: BrowserContextOptions, agreed?: Agreed): Promise<Page> {
  const page = await open(options, agreed);
  await page.goto(path);
  await untilScriptsRun(page);
  return page;
}

/** The places of the visible ads. */
const shown = (page: Page): Promise<readonly string[]> =>
  page.locator('.ad-place:has(> .ad:not([inert]))').evaluateAll((places) =>
    places.map((place) => {
      const { classList } = place;
      return [...classList].find((name) => /^(?:side|bottom|footer|recommendation)-/.test(name)) ?? '';
    }),
  );

test('each place shows its ad on its kind of device', async () => {
  const wide = await look('/', desktop);
  await eventually(() => shown(wide)).toEqual(['recommendation-box', 'side-banner', 'footer-banners']);
  await wide.setViewportSize({ width: 1025, height: 900 });
  await wide.evaluate(() => scrollTo(0, 900));
  await eventually(() => shown(wide)).toEqual(['recommendation-box', 'side-banner', 'footer-banners']);
  await wide.setViewportSize({ width: 1024, height: 900 });
  await eventually(() => shown(wide)).toEqual(['bottom-banner']);
  const small = await look('/', phone);
  await eventually(() => shown(small)).toEqual(['bottom-banner']);
  // A phone stays a phone, however wide it is held.
  await small.setViewportSize({ width: 1180, height: 820 });
  await eventually(() => shown(small)).toEqual(['bottom-banner']);
});

const besideGuides = [
  [
    'where there is room',
    { viewport: { width: 1700, height: 900 } },
    ['recommendation-box', 'side-banner', 'footer-banners'],
  ],
  ['where there is none', { viewport: { width: 1025, height: 900 } }, ['footer-banners']],
  ['on a phone', phone, ['bottom-banner']],
] as const;

test.runIf(isAudit).each(besideGuides)(
  'beside a guide, %s, no ad covers the text',
  async (_, options, expected) => {
    const page = await look('/save-tiktok-video-iphone', options);
    const text = page.locator('.rich-text > p').first();
    await text.evaluate((first) => scrollBy(0, first.getBoundingClientRect().bottom - innerHeight / 2));
    await eventually(() => shown(page)).toEqual(expected);
  },
);

test('an ad names what it is and what its picture shows, in the language of the page', async () => {
  const page = await look('/ja', { viewport: { width: 1920, height: 1000 } });
  const side = page.locator('.side-banner');
  await eventually(() => side.getAttribute('aria-label')).toBe('広告');
  const picture = side.getByRole('img', { name: 'どの入り江にも一艘を' });
  await eventually(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(136);
  const source = await picture.evaluate((one) => (one as HTMLImageElement).currentSrc);
  expect(source).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pictures\/[0-9a-f]{20}-136\.avif$/);
  await page.getByRole('group', { name: '当サイトから' }).getByRole('link').waitFor();
  const link = side.getByRole('link');
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
    'https://bay-boats.example/',
    'sponsored noopener',
  ]);
});

test('the side banner is 75 pixels above the edge, and at the edge once the footer’s banners are closed', {
  skip: !isAudit,
}, async () => {
  const page = await look('/', desktop);
  const side = page.locator('.side-banner.side-banner-large');
  const toEdge = () => side.evaluate((one) => Math.round(innerHeight - one.getBoundingClientRect().bottom));
  await eventually(toEdge).toBe(75);
  await page.locator('.footer-banners .ad-close').click();
  await eventually(toEdge).toBe(0);
  expect(await page.locator('.footer-banners').count()).toBe(0);
  await page.locator('header').getByRole('link', { name: 'TikTok to MP3' }).click();
  await untilAddress(page, '/download-mp3-tiktok');
  expect(await page.locator('.footer-banners').count()).toBe(0);
});

test('a high ad does not appear in a low window', { skip: !isAudit }, async () => {
  const page = await look('/', { viewport: { width: 1440, height: 600 } });
  await page.locator('.footer-banners .ad:not([inert])').waitFor();
  expect(await page.locator('.side-banner').isVisible()).toBe(false);
});

test('Escape closes the topmost ad, and nothing else', { skip: !isAudit }, async () => {
  const page = await look('/', desktop);
  await eventually(() => shown(page)).toHaveLength(3);
  await page.keyboard.press('Escape');
  await eventually(() => shown(page)).toEqual(['recommendation-box', 'side-banner']);
  // An open menu is on top.
  await page.getByText('English', { exact: true }).first().click();
  await page.keyboard.press('Escape');
  expect(await shown(page)).toHaveLength(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await eventually(() => shown(page)).toEqual([]);
});

test('the keyboard reaches ads after the page, one after another, and returns to it when one is closed', async () => {
  const page = await look('/', desktop);
  await eventually(() => shown(page)).toHaveLength(3);
  await page.locator('footer a[href]:visible, footer button:visible').last().focus();
  const reached: string[] = [];
  for (let step = 0; step < 7; step += 1) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(() => {
        const { activeElement: element } = document;
        const [, ...names] = element?.closest('.ad-place')?.classList ?? [];
        return `${names[0]} ${element?.localName}`;
      }),
    );
  }
  expect(reached).toEqual([
    'recommendation-box a',
    'recommendation-box button',
    'side-banner a',
    'side-banner button',
    'ad-strip a',
    'ad-strip a',
    'ad-strip button',
  ]);
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
});

describe('on a phone', () => {
  /** Drags a finger over an element, by this many pixels. */
  async function swipe(page: Page, selector: string, byX: number): Promise<void> {
    const box = await page.locator(selector).boundingBox();
    if (box === null) throw new Error(`${selector} is not there`);
    const y = box.y + box.height / 2;
    const x = box.x + box.width / 2;
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: at, y }],
      });
    await touch('touchStart', x);
    for (let step = 1; step <= 5; step += 1) await touch('touchMove', x + (byX * step) / 5);
    await touch('touchEnd', x + byX);
  }

  test('a finger pushes an ad out, or lets go of it halfway', { skip: !isAudit }, async () => {
    const page = await look('/', phone);
    await eventually(() => shown(page)).toEqual(['bottom-banner']);
    await swipe(page, '.bottom-banner .ad', 50);
    await eventually(() =>
      page.locator('.bottom-banner .ad').evaluate((ad) => getComputedStyle(ad).translate),
    ).toMatch(/^(?:none|0px)$/);
    expect(await shown(page)).toEqual(['bottom-banner']);
    await swipe(page, '.bottom-banner .ad', -120);
    // The recommendation has waited for its place.
    await eventually(() => shown(page)).toEqual(['recommendation-bar']);
    await page.reload();
    await eventually(() => shown(page)).toEqual(['recommendation-bar']);
  });

  test('the recommendation is a bar that opens a box', { skip: !isAudit }, async () => {
    const page = await look('/', phone);
    await page.locator('.bottom-banner .ad-close').click();
    const bar = page.getByRole('button', { name: /Save posts from your own program/ });
    await bar.click();
    await page.locator('.recommendation-open img').waitFor();
    expect(await bar.getAttribute('aria-expanded')).toBe('true');
    expect(await coveredByPromotion(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.recommendation-open').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await eventually(() => shown(page)).toEqual([]);
  });

  test('nothing covers the page while the on-screen keyboard is open', { skip: !isAudit }, async () => {
    const page = await look('/', phone);
    await eventually(() => shown(page)).toEqual(['bottom-banner']);
    await page.locator('#link').focus();
    await page.setViewportSize({ width: 360, height: 330 });
    await eventually(() => shown(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('#link').blur();
    await eventually(() => shown(page)).toEqual(['bottom-banner']);
  });

  test('the consent bar comes first', { skip: !isAudit }, async () => {
    const page = await look('/', phone, null);
    await page.locator('.bottom-banner').waitFor({ state: 'attached' });
    expect(await shown(page)).toEqual([]);
    await page.getByRole('button', { name: 'Decline' }).click();
    await eventually(() => shown(page)).toEqual(['bottom-banner']);
  });
});

test('on a desktop ads are above the consent bar', { skip: !isAudit }, async () => {
  const page = await look('/', desktop, null);
  await eventually(() => shown(page)).toEqual(['recommendation-box', 'side-banner', 'footer-banners']);
  expect(await coveredByPromotion(page)).toEqual([]);
});

test('nothing appears during a look-up', { skip: !isAudit }, async () => {
  const page = await open(desktop);
  const release = await holdQuestions(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto('/');
  await untilScriptsRun(page);
  await submitLink(page, journey.platform.link('ordinary'));
  await page.locator('.outcome[aria-busy=true]').waitFor();
  await page.clock.runFor(1000);
  await page.locator('.footer-banners .ad[inert]').waitFor({ state: 'attached' });
  expect(await shown(page)).toEqual([]);
  release();
  await page.clock.resume();
  // Elements with room beside the result.
  await eventually(() => shown(page)).toContain('footer-banners');
});

test('reports what half came into view, was pressed and was closed for visitors who agreed', {
  skip: !isAudit,
}, async () => {
  const page = await open(desktop, { statistics: true });
  const reported: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/web/report')) return;
    const reports = [JSON.parse(request.postData() ?? '[]')].flat() as { data: Record<string, unknown> }[];
    reported.push(...reports.map(({ data }) => data));
  });
  await page.goto('/');
  await untilScriptsRun(page);
  const banner = { event_category: 'b_banner', event_label: 'ks', event_value: 'youtube' };
  await eventually(
    () =>
      reported.filter(({ event, event_category }) => event === 'exposure' && event_category === 'b_banner')
        .length,
  ).toBe(4);
  expect(reported.find(({ event }) => event === 'exposure')).toMatchObject(banner);
  await page.locator('.side-banner .ad-close').click();
  await eventually(() => reported.find(({ event }) => event === 'close_b_banner')).toMatchObject({
    ...banner,
    event_category: 'close_b_banner',
  });
  await page.locator('.recommendation-box a').click();
  await eventually(() => reported.find(({ event }) => event === 'b_banner')).toMatchObject(banner);
  expect(
    reported.some(({ event, event_category }) => event === 'exposure' && event_category === 'close_b_banner'),
  ).toBe(false);
});
