import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { inMotion, openPage, untilAddress, type WatchedPage } from '../support/browser.ts';
import { haltDocument } from '../support/halting-document.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { siteFile } from '../support/site-file.ts';
import { until } from '../support/until.ts';

let product: RunningProduct;
let browser: Browser;
let watched: WatchedPage | undefined;

const menu = [
  {
    url: '/tiktok-downloader',
    text: 'tiktok-downloader',
    map_url: ['/contact'],
    children: [
      { url: '/tiktok-video-downloader', text: 'tiktok-video-downloader' },
      { url: '/download-mp3-tiktok', text: 'download-mp3-tiktok' },
    ],
  },
  { url: '/api', text: 'api', children: [{ url: '/pagelink', text: 'pagelink' }] },
  { url: '/dmca', text: 'dmca', open_new_page: true },
];

beforeAll(async () => {
  const SITE_CONFIG = siteFile({ menus_info: menu });
  [product, browser] = await Promise.all([startProduct({ env: { SITE_CONFIG } }), sharedBrowser()]);
});
afterEach(async () => {
  await watched?.context.close();
  expect(watched?.problems ?? []).toEqual([]);
  watched = undefined;
});
afterAll(async () => {
  await product.stop();
});

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

async function open(path: string, options?: BrowserContextOptions): Promise<Page> {
  watched = await openPage(browser, product.origin, options);
  await watched.page.goto(path, { waitUntil: 'networkidle' });
  return watched.page;
}

/** Whether the page is still the first loaded document. */
const mark = (page: Page) => page.evaluate('void (globalThis.sameDocument = true)');
const isMarked = (page: Page) => page.evaluate('globalThis.sameDocument === true');

describe('the menu on a wide screen', () => {
  test('opens under the mouse, stays open for its click, closes when the mouse leaves', async () => {
    const page = await open('/');
    const child = page.locator('.header-menu').getByRole('link', { name: 'TikTok to MP3' });
    expect(await child.isVisible()).toBe(false);
    await page.locator('.header-menu summary').first().hover();
    await child.waitFor();
    await page.locator('.header-menu summary').first().click();
    expect(await child.isVisible()).toBe(true);
    await page.mouse.move(5, 600);
    await child.waitFor({ state: 'hidden' });
  });

  test('opens, moves and closes by keyboard, and returns the focus', async () => {
    const page = await open('/');
    await page.locator('.header-menu summary').first().focus();
    await page.keyboard.press('Enter');
    const child = page.locator('.header-menu').getByRole('link', { name: 'TikTok to MP4' });
    await page.locator('.header-menu details[open] a').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await child.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await child.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
  });

  test('marks the current page, its further addresses, and links that open a new tab', {
    skip: !isAudit,
  }, async () => {
    const page = await open('/contact');
    expect(await page.locator('.header-menu .popup-present').count()).toBe(1);
    const elsewhere = page.locator('.header-menu').getByRole('link', { name: 'DMCA' });
    expect([await elsewhere.getAttribute('target'), await elsewhere.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener',
    ]);
    await page.goto('/posts');
    const posts = page.locator('.header-menu').getByRole('link', { name: 'Guides' });
    expect(await posts.getAttribute('aria-current')).toBe('page');
    expect(await page.locator('.header .logo').getAttribute('aria-current')).toBeNull();
    await page.goto('/ar');
    expect(await page.locator('.header .logo').getAttribute('aria-current')).toBe('page');
  });
});

describe.each([true, false])('the menu on a phone, with scripts: %s', (javaScriptEnabled) => {
  test('opens and closes; one submenu at a time, which its own item closes again', async () => {
    const page = await open('/', { ...phone, javaScriptEnabled });
    const drawer = page.locator('.header-drawer');
    expect(await drawer.locator('nav').isVisible()).toBe(false);
    await drawer.locator('> summary').tap();
    const [first, second] = [
      drawer.locator('.drawer-submenu').nth(0),
      drawer.locator('.drawer-submenu').nth(1),
    ];
    await first.locator('summary').tap();
    await first.getByRole('link', { name: 'TikTok to MP4' }).waitFor();
    await second.locator('summary').tap();
    await second.getByRole('link', { name: 'Sitemap' }).waitFor();
    expect(await first.getByRole('link', { name: 'TikTok to MP4' }).isVisible()).toBe(false);
    await second.locator('summary').tap();
    expect(await second.getByRole('link', { name: 'Sitemap' }).isVisible()).toBe(false);
    await first.locator('summary').tap();
    await first.getByRole('link', { name: 'TikTok to MP4' }).tap();
    await untilAddress(page, '/tiktok-video-downloader');
    await drawer.locator('nav').waitFor({ state: 'hidden' });
  });
});

describe('the footer', () => {
  test('has four columns, and the last one opens new tabs', { skip: !isAudit }, async () => {
    const page = await open('/');
    const columns = page.locator('.footer-columns nav');
    expect(await columns.count()).toBe(4);
    const targets = await columns.evaluateAll((navs) =>
      navs.map((nav) =>
        [...nav.querySelectorAll('a')].every((link) => link.target === '_blank' && link.rel === 'noopener'),
      ),
    );
    expect(targets).toEqual([false, false, false, true]);
  });

  test.runIf(isAudit).each(['hover', 'focus', 'touch'])('shows its tools on %s', async (way) => {
    const page = await open('/', way === 'touch' ? phone : {});
    const popup = page.locator('.footer-tools');
    const tool = popup.getByRole('link', { name: 'TikTok to MP3' });
    expect(await tool.isVisible()).toBe(false);
    if (way === 'hover') await popup.locator('summary').hover();
    if (way === 'touch') await popup.locator('summary').tap();
    if (way === 'focus') {
      await page.locator('footer').evaluate((footer) => {
        footer.tabIndex = -1;
        footer.focus();
      });
      await page.keyboard.press('Tab');
    }
    await tool.waitFor();
  });

  test.runIf(isAudit).each([360, 1440])(
    'shows more than its columns do, and covers none of its text, at %i px',
    async (width) => {
      const page = await open('/', { viewport: { width, height: 740 } });
      await page.locator('.footer-tools > summary').click();
      const tools = await page.locator('.footer-tools .popup-content a').allInnerTexts();
      expect(tools.map((text) => text.replace(/\s+/g, ' '))).toEqual([
        'Home MP4 · HD · MP3 · M4A',
        'TikTok downloader MP4 · HD · MP3 · M4A',
        'TikTok to MP4 MP4 · HD',
        'TikTok to MP3 MP3 · M4A',
      ]);
      const covered = await page.locator('.footer').evaluate((footer) => {
        const popup = footer.querySelector('.popup-content')?.getBoundingClientRect() ?? new DOMRect();
        const words = [...footer.querySelectorAll('bdi, p, a, h2')].filter((one) => !one.closest('.popup'));
        return words
          .filter((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return left < popup.right && right > popup.left && top < popup.bottom && bottom > popup.top;
          })
          .map((one) => one.textContent);
      });
      expect(covered).toEqual([]);
    },
  );

  test('links to the same page in every other language', async () => {
    const page = await open('/ar/contact-new1');
    const links = page.locator('.footer-languages a');
    const names = await links.allTextContents();
    expect(names).toHaveLength(23);
    expect(names.slice(0, 3)).toEqual(['English', 'Bahasa Indonesia', 'Dansk']);
    expect(names).not.toContain('العربية');
    await mark(page);
    await links.getByText('Türkçe').click();
    await untilAddress(page, '/tr/contact-new1');
    await page.waitForFunction(() => document.documentElement.lang === 'tr');
    expect(await isMarked(page)).toBe(true);
  });

  test.each(sample([true, false], (hasScripts) => hasScripts))(
    "prefers the language that was chosen there to the browser's, with scripts: %s",
    async (javaScriptEnabled) => {
      const page = await open('/', { locale: 'tr-TR', javaScriptEnabled });
      expect(new URL(page.url()).pathname).toBe('/tr');
      const remembered = page.waitForResponse((response) => response.url().includes('/cookie_set'));
      await page.locator('.footer-languages').getByText('English').click();
      await remembered;
      await untilAddress(page, '/');
      await page.goto('/');
      expect(new URL(page.url()).pathname).toBe('/');
    },
  );

  test('keeps every page at least 800 px high', { skip: !isAudit }, async () => {
    const page = await open('/404', { viewport: { width: 1200, height: 600 } });
    expect((await page.locator('main').boundingBox())?.height).toBeGreaterThanOrEqual(800);
  });
});

describe('light and dark', () => {
  const paper = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

  test('follow the device until the visitor chooses, and the choice stays on the device', async () => {
    const page = await open('/', { colorScheme: 'light' });
    const light = await paper(page);
    const menu = page.locator('.theme-menu');
    const present = () => menu.locator('summary').getAttribute('aria-label');
    expect(await present()).toBe('Theme: System');
    await menu.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await menu.getByRole('button').allTextContents()).toEqual(['System', 'Light', 'Dark']);
    await menu.getByRole('button', { name: 'Dark' }).press('Enter');
    expect(await present()).toBe('Theme: Dark');
    expect(await menu.getByRole('button', { pressed: true }).textContent()).toBe('Dark');
    const dark = await paper(page);
    expect(dark).not.toBe(light);
    // Before any of our scripts except the one in the head: nothing flashes.
    await page.route('**/*.js', (route) => route.abort('blockedbyclient'));
    await page.goto('/contact');
    expect(await paper(page)).toBe(dark);
    await page.unroute('**/*.js');
    await page.goto('/contact', { waitUntil: 'networkidle' });
    await menu.locator('summary').click();
    await menu.getByRole('button', { name: 'System' }).click();
    expect(await paper(page)).toBe(light);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    const others = watched?.problems.filter((problem) => !problem.includes('ERR_BLOCKED_BY_CLIENT'));
    expect(others).toEqual([]);
    await watched?.context.close();
    watched = undefined;
  });

  test('is not offered when scripts could not store the choice', { skip: !isAudit }, async () => {
    const page = await open('/', { javaScriptEnabled: false });
    expect(await page.locator(':is(.theme-menu, .theme-choices):visible').count()).toBe(0);
  });

  test('is in the header, or in the menu of a phone', { skip: !isAudit }, async () => {
    for (const width of [360, 768]) {
      const page = await open('/', { viewport: { width, height: 740 } });
      const inHeader = page.locator('.theme-menu:visible');
      expect([width, await inHeader.count()]).toEqual([width, width > 640 ? 1 : 0]);
      await page.locator('.header-drawer > summary').click();
      const inMenu = page.locator('.header-drawer .theme-choices:visible');
      expect([width, await inMenu.count()]).toEqual([width, width > 640 ? 0 : 1]);
      await watched?.context.close();
    }
  });
});

describe('the choice of a language', () => {
  test('begins with the likely languages; the others follow by their own names', {
    skip: !isAudit,
  }, async () => {
    const page = await open('/de/contact');
    const names = await page.locator('.header-languages li').allTextContents();
    expect(names.slice(0, 4)).toEqual(['Deutsch', 'English', 'Bahasa Indonesia', 'Dansk']);
    const others = names.slice(2);
    expect(others).toEqual(others.toSorted(new Intl.Collator('en').compare));
    expect(names).toHaveLength(24);
  });

  test('fits on the screen of a phone', { skip: !isAudit }, async () => {
    const page = await open('/', phone);
    await page.locator('.header-languages > summary').tap();
    const list = page.locator('.header-languages .popup-content');
    expect(await list.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
    const box = await list.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(740);
  });
});

test('the name of the site is on one line on a narrow phone', { skip: !isAudit }, async () => {
  const page = await open('/', { viewport: { width: 320, height: 568 } });
  const lines = await page.locator('.header .logo bdi').evaluate((name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
  expect(lines).toBe(1);
});

const halves = [
  ['header', '<details class="popup header-drawer'],
  ['tool', 'class="button button-quiet hero-example'],
] as const;

test.runIf(isAudit).each(halves)(
  'does not draw a page whose %s has arrived only in part: the rest would push it aside',
  async (_, before) => {
    const halted = await haltDocument(product.origin, '/ar', before);
    const { page, context } = await openPage(browser, product.origin, { ...phone, ...inMotion });
    try {
      const shifts = await watchShifts(page);
      await page.goto(halted.url, { waitUntil: 'commit' });
      await until('the first part is there, with its styles', () =>
        page.evaluate(
          () => document.styleSheets.length > 0 && document.querySelector('.header-languages') !== null,
        ),
      );
      // A page that opens only now, completely, is drawn meanwhile.
      const other = await context.newPage();
      await other.goto(`${product.origin}/ar`);
      await other.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      expect(await page.evaluate(() => performance.getEntriesByType('paint').length)).toBe(0);
      halted.goOn();
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      expect(await shifts.list()).toEqual([]);
    } finally {
      await context.close();
      halted.stop();
    }
  },
);

test('hover styles are for mice: after a tap they would stay', { skip: !isAudit }, async () => {
  const page = await open('/');
  const loose = await page.evaluate(() => {
    const found: string[] = [];
    const look = (rules: CSSRuleList, isForMice: boolean) => {
      for (const rule of rules) {
        const isFor =
          isForMice || (rule instanceof CSSMediaRule && rule.media.mediaText.includes('hover: hover'));
        if (rule instanceof CSSStyleRule && rule.selectorText.includes(':hover') && !isFor)
          found.push(rule.selectorText);
        if ('cssRules' in rule) look(rule.cssRules as CSSRuleList, isFor);
      }
    };
    for (const sheet of document.styleSheets) look(sheet.cssRules, false);
    return found;
  });
  expect(loose).toEqual([]);
});

test('no wave cuts through the page in the visitor’s own colours', { skip: !isAudit }, async () => {
  const page = await open('/', { forcedColors: 'active' });
  expect(await page.locator('.hero-wave').isVisible()).toBe(false);
});

test('slow pages show that they are loading, fast ones do not', { skip: !isAudit }, async () => {
  const page = await open('/');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api.data*', async (route) => {
    await held;
    await route.continue();
  });
  await page.locator('.footer-columns').getByRole('link', { name: 'Contact' }).click();
  await page.locator('h1', { hasText: 'Contact us' }).waitFor();
  expect(await page.getByRole('progressbar').count()).toBe(0);
  await page.locator('.header-menu summary').nth(1).hover();
  await page.locator('.header-menu').getByRole('link', { name: 'API' }).click();
  await page.getByRole('progressbar', { name: 'Loading page' }).waitFor();
  release();
  await untilAddress(page, '/api');
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
});
