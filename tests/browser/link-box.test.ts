import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { type Journey, startJourney } from '../support/journey.ts';

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startJourney();
  return journey.product;
});
afterAll(() => journey.platform.stop());

let watched: WatchedPage;
/** Chromium's own report of a request that found no network. */
const isOffline = (trouble: string) => trouble.includes('ERR_INTERNET_DISCONNECTED');
afterEach(() => expect(watched.troubles.filter((trouble) => !isOffline(trouble))).toEqual([]));

async function open(path: string, options?: BrowserContextOptions): Promise<Page> {
  watched = await visits.open(options);
  await watched.page.goto(path);
  if (options?.javaScriptEnabled !== false) await untilScriptsRun(watched.page);
  await watched.page.locator('.link-box').waitFor();
  return watched.page;
}

async function ask(page: Page, text: string): Promise<void> {
  await page.locator('#link').fill(text);
  await page.locator('#link').press('Enter');
}

const hasResult = (page: Page) => page.locator('.result-options .option-link').first().waitFor();
const linkInAddress = (page: Page) => new URL(page.url()).searchParams.get('url');
const isInSight = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

/** Holds the questions to the server back until they are let go. */
async function holdQuestions(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/resolve*', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

describe('a result lives in the address', () => {
  test('and stays through a reload, Back from another page, another tool and another language', async () => {
    const page = await open('/');
    await ask(page, `Look: ${journey.platform.link('short-vm')} #fyp`);
    await hasResult(page);
    const link = 'https://www.tiktok.com/@ferry.captain/video/7615133378163811813';
    await page.waitForURL((url) => url.searchParams.get('url') === link);
    expect(await page.locator('link[rel="canonical"]').count()).toBe(0);

    await page.reload();
    await hasResult(page);
    expect(await page.locator('#link').inputValue()).toBe(link);

    await page.locator('footer').getByRole('link', { name: 'Privacy policy' }).click();
    await page.waitForURL('**/privacy-policy');
    await page.goBack();
    await hasResult(page);
    expect(await page.locator('#link').inputValue()).toBe(link);

    await page.locator('.footer-columns').getByRole('link', { name: 'TikTok to MP3' }).click();
    await page.waitForURL('**/download-mp3-tiktok?url=*');
    await page.getByRole('link', { name: /Download MP3/ }).waitFor();
    await page.locator('.footer-languages').getByText('Deutsch').click();
    await page.waitForURL('**/de/download-mp3-tiktok?url=*');
    await hasResult(page);
    expect(await page.locator('#link').inputValue()).toBe(link);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });

  test('without a ticket, in the address or in anything that the browser keeps', async () => {
    const page = await open('/');
    await ask(page, journey.platform.link('ordinary'));
    await hasResult(page);
    await page.waitForURL('**/?url=*');
    await page.locator('footer').getByRole('link', { name: 'Privacy policy' }).click();
    await page.waitForURL('**/privacy-policy');
    await page.goBack();
    await hasResult(page);
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, history.state, { ...sessionStorage }, { ...localStorage }]),
    );
    expect(kept).toContain('7615133378163811813');
    expect(kept).not.toMatch(/api\/files|api\/pictures|\.mp[34]\./);
  });

  test('Back and Forward lead from one result to another and to the empty box', async () => {
    const page = await open('/');
    const [first, second] = [journey.platform.link('ordinary'), journey.platform.link('landscape')];
    await ask(page, first);
    await page.getByText('720 × 1280').waitFor();
    await ask(page, second);
    await page.getByText('1280 × 720').waitFor();
    await page.getByRole('link', { name: 'Download another' }).click();
    await page.waitForURL((url) => url.search === '');
    expect(await page.locator('.result').count()).toBe(0);
    expect(await page.locator('#link').inputValue()).toBe('');
    await page.goBack();
    await page.getByText('1280 × 720').waitFor();
    expect(await page.locator('#link').inputValue()).toBe(second);
    await page.goBack();
    await page.getByText('720 × 1280').waitFor();
    expect(await page.locator('#link').inputValue()).toBe(first);
    await page.goForward();
    await page.getByText('1280 × 720').waitFor();
    await page.goForward();
    await page.locator('.hero-below').waitFor();
    expect(await page.locator('#link').inputValue()).toBe('');
  });

  test('Back while another link is looked up ends the looking', async () => {
    const page = await open('/');
    await ask(page, journey.platform.link('ordinary'));
    await page.waitForURL('**/?url=*');
    const release = await holdQuestions(page);
    const given_up = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/resolve'));
    await ask(page, journey.platform.link('landscape'));
    await page.locator('.result-skeleton').waitFor();
    await page.goBack();
    await given_up;
    release();
    await page.getByText('720 × 1280').waitFor();
    expect(linkInAddress(page)).toContain('7615133378163811813');
  });

  test('the logo begins anew', async () => {
    const page = await open('/');
    await ask(page, journey.platform.link('ordinary'));
    await page.waitForURL('**/?url=*');
    await page.locator('header .logo').click();
    await page.locator('.hero-below').waitFor();
    expect(await page.locator('.result').count()).toBe(0);
    expect(await page.locator('#link').inputValue()).toBe('');
    expect(page.url()).not.toContain('url=');
  });

  test('on a phone the box stays in sight, also after a reload', async () => {
    const page = await open('/', { viewport: { width: 360, height: 740 } });
    await ask(page, journey.platform.link('ordinary'));
    await hasResult(page);
    expect(await isInSight(page, '.link-box')).toBe(true);
    await page.waitForURL('**/?url=*');
    await page.reload();
    await hasResult(page);
    await page.waitForFunction(() => scrollY > 0);
    expect(await isInSight(page, '.link-box')).toBe(true);
  });

  test('no search engine keeps it, and nobody is given it as another page', async () => {
    const link = encodeURIComponent(journey.platform.link('ordinary'));
    for (const query of [`url=${link}`, `text=Look%20${link}`]) {
      const response = await journey.get(`/tiktok-downloader?${query}`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const html = await response.text();
      expect(html).toContain('<meta name="robots" content="noindex"/>');
      expect(html).not.toContain('rel="canonical"');
      expect(html).toContain('class="result-options"');
    }
    const plain = await (await journey.get('/tiktok-downloader')).text();
    expect(plain).toContain('rel="canonical"');
    expect(plain).not.toContain('noindex');
    expect(plain).not.toContain('?url=https%3A%2F%2Fwww.tiktok.com%2F%40ferry');
  });
});

const shareSheet = 'In TikTok, tap Share on the post, then Copy link, and paste it here.';

describe('what is wrong with a link stands at the box', () => {
  const general = 'Please paste a video address with https:// or http://, for example https://';
  test.each([
    [
      '/',
      [
        ['hello', general, shareSheet],
        ['', general, shareSheet],
        ['https://www.youtube.com/watch?v=1', 'Please enter a valid video URL', 'Only links from TikTok'],
        ['ftp://x.example/', 'Please enter a valid video URL', shareSheet],
      ],
    ],
    [
      '/tiktok-downloader',
      [['hello', 'Please paste a TikTok address with https:// or http://, for example https://', shareSheet]],
    ],
    [
      '/tr',
      [
        [
          'merhaba',
          'Lütfen https:// veya http:// ile başlayan bir video adresi yapıştırın, örneğin https://',
          'TikTok’ta gönderide Paylaş’a',
        ],
      ],
    ],
  ] as const)('on %s', async (path, cases) => {
    const page = await open(path);
    for (const [text, message, hint] of cases) {
      await ask(page, text);
      const said = page.locator('#tool-failure', { hasText: message });
      await said.waitFor();
      await page.locator('#tool-failure-hint', { hasText: hint }).waitFor();
      const description = await page.locator('#link').evaluate((field) =>
        (field.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent)
          .join(' '),
      );
      expect(description).toContain(message);
      expect(description).toContain(hint);
      await page.locator('[role="status"]', { hasText: message }).waitFor({ state: 'attached' });
      const [box, below] = [await page.locator('.link-box').boundingBox(), await said.boundingBox()];
      expect((below?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0)).toBeLessThan(50);
      expect(await page.locator('.trust').count()).toBe(0);
    }
  });

  test('in sight together with it on a phone, whatever else is on the page', async () => {
    const page = await open('/', { viewport: { width: 360, height: 640 } });
    for (const name of ['only-576', 'only-480', 'landscape']) {
      await ask(page, journey.platform.link(name));
      await hasResult(page);
      await page.waitForURL('**/?url=*');
      await page.getByRole('link', { name: 'Download another' }).click();
    }
    await page.locator('.recent li').nth(2).waitFor();
    await ask(page, 'https://www.tiktok.com/@ferry.captain');
    await page.locator('.trouble').waitFor();
    expect([await isInSight(page, '.link-box'), await isInSight(page, '.trouble')]).toEqual([true, true]);
  });

  test('with what helps, and nothing else', async () => {
    const page = await open('/');
    for (const [name, offer] of [
      ['https://www.tiktok.com/@ferry.captain', 'Clear and paste another'],
      ['@ferry.captain', 'Clear and paste another'],
      ['deleted', null],
      ['self-only', 'Open in TikTok'],
      ['low-age', 'Open in TikTok'],
      ['region-fenced', 'Open in TikTok'],
      ['music-unshelved', null],
      ['server-error-everywhere', 'Try again'],
    ] as const) {
      await ask(page, journey.platform.links[name] ?? name);
      await page.locator('.link-submit:not([aria-busy])').waitFor();
      const offered = await page.locator('.trouble .button').allTextContents();
      expect([name, offered]).toEqual([name, offer === null ? [] : [offer]]);
      const invalid = await page.locator('#link').getAttribute('aria-invalid');
      expect([name, invalid]).toEqual([name, offer === 'Try again' ? null : 'true']);
      if (offer === 'Open in TikTok')
        expect(await page.locator('.trouble a').getAttribute('href')).toMatch(
          /^https:\/\/www\.tiktok\.com\/.*\d{19}$/,
        );
      if (offer !== 'Clear and paste another') continue;
      await page.locator('.trouble .button').click();
      expect(await page.locator('#link').inputValue()).toBe('');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('link');
      expect(await page.locator('.trouble').count()).toBe(0);
    }
  });

  test('a wait is told in one way', async () => {
    const page = await open('/');
    await ask(page, journey.platform.link('throttled-everywhere'));
    await page.locator('.trouble-wait', { hasText: /You can try again in \d+ seconds/ }).waitFor();
    expect(await page.locator('#tool-failure').textContent()).not.toMatch(/minute/);
    expect(await page.locator('.trouble .button').count()).toBe(0);
  });

  test.each([true, false])('far too much text, with scripts: %s', async (javaScriptEnabled) => {
    const page = await open('/', { javaScriptEnabled });
    await page.locator('#link').fill('word '.repeat(1_000));
    await page.locator('.link-submit').click();
    await page.locator('#tool-failure', { hasText: 'That is too much text.' }).waitFor();
    await page.locator('#tool-failure-hint', { hasText: shareSheet }).waitFor();
    // A link at its beginning is found all the same.
    await page.locator('#link').fill(`${journey.platform.link('ordinary')} ${'word '.repeat(1_000)}`);
    await page.locator('.link-submit').click();
    await hasResult(page);
  });
});

test('of two links in a text the first is taken, and the other is one press away', async () => {
  const page = await open('/');
  await ask(page, `${journey.platform.link('ordinary')} and ${journey.platform.link('landscape')}`);
  await page.getByText('720 × 1280').waitFor();
  await page.getByText('We took the first link. There is another one in your text:').waitFor();
  await page.locator('.other-link a').click();
  await page.getByText('1280 × 720').waitFor();
  expect(await page.locator('.other-link').count()).toBe(0);
  // Also when there is nothing to be had of the first.
  await ask(page, `${journey.platform.link('deleted')} ${journey.platform.link('landscape')}`);
  await page.locator('#tool-failure').waitFor();
  await page.locator('.other-link a').click();
  await page.getByText('1280 × 720').waitFor();
});

describe('looking up', () => {
  test('says after four seconds that it takes long, and can be cancelled', async () => {
    const page = await open('/');
    await page.clock.install();
    await holdQuestions(page);
    // From here on time passes only where the test says so.
    await page.clock.pauseAt(Date.now() + 60_000);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/resolve'));
    await ask(page, journey.platform.link('ordinary'));
    await page.locator('.result-skeleton').waitFor();
    await page.clock.runFor(3_900);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await page.clock.runFor(200);
    await page.locator('.result-slow').getByText('TikTok is answering slowly').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await ended;
    expect(await page.locator('.result-skeleton').count()).toBe(0);
    expect(await page.locator('#link').inputValue()).toBe(journey.platform.link('ordinary'));
    await page.locator('[role="status"]', { hasText: 'Canceled' }).waitFor({ state: 'attached' });
  });

  test('happens once, however often it is asked for, and for the newest link', async () => {
    const page = await open('/');
    const release = await holdQuestions(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/resolve')) asked.push(request.postData() ?? '');
    });
    await ask(page, journey.platform.link('ordinary'));
    await page.locator('#link').press('Enter');
    await page.locator('.link-submit').click();
    expect(asked).toHaveLength(1);
    await ask(page, journey.platform.link('landscape'));
    release();
    await page.getByText('1280 × 720').waitFor();
    expect(asked).toHaveLength(2);
    expect(linkInAddress(page)).toBe(journey.platform.link('landscape'));
  });

  test('offline is told as what it is, and the link stays', async () => {
    const page = await open('/');
    await watched.context.setOffline(true);
    await ask(page, journey.platform.link('ordinary'));
    await page.locator('#tool-failure').waitFor();
    expect(await page.locator('#tool-failure').textContent()).toBe(
      'Sorry, the video download failed, check your internet connection and retry',
    );
    expect(await page.locator('#tool-failure-hint').textContent()).toContain('You seem to be offline.');
    await watched.context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await hasResult(page);
  });
});

describe('a clipboard that gives nothing', () => {
  const spoil = (page: Page, answer: 'refused' | 'empty') =>
    page.evaluate((how) => {
      navigator.clipboard.readText = () =>
        how === 'empty' ? Promise.resolve('') : Promise.reject(new DOMException('no', 'NotAllowedError'));
    }, answer);

  test.each([
    [false, 'refused', 'press Ctrl+V'],
    [true, 'refused', 'Press and hold in the box, then choose Paste.'],
    [false, 'empty', 'There is no text in the clipboard.'],
  ] as const)('is told below the box, touch: %s, %s', async (hasTouch, answer, hint) => {
    const page = await open('/', { hasTouch, isMobile: hasTouch, viewport: { width: 360, height: 740 } });
    await spoil(page, answer);
    await page.locator('.link-paste').click();
    await page.locator('.asked .trouble').getByText(hint).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('link');
    expect(await page.locator('#link').getAttribute('aria-describedby')).toBe('paste-hint');
    await ask(page, journey.platform.link('ordinary'));
    await hasResult(page);
    expect(await page.locator('.trouble').count()).toBe(0);
  });
});

describe('the last links', () => {
  test('hold what a share sheet brought, of which only the link stands in the box', async () => {
    const page = await open(
      `/?text=${encodeURIComponent(`Check this! ${journey.platform.link('short-vm')}`)}&title=x`,
    );
    await hasResult(page);
    const link = 'https://www.tiktok.com/@ferry.captain/video/7615133378163811813';
    expect(await page.locator('#link').inputValue()).toBe(link);
    await page.waitForURL((url) => url.searchParams.get('url') === link && !url.searchParams.has('text'));
    // The post that is shown is not in the list below it.
    expect(await page.locator('.recent').count()).toBe(0);
    await page.getByRole('link', { name: 'Download another' }).click();
    await page.locator('.recent li').getByText('Morning crossing').waitFor();

    await page.goto(`/?text=${encodeURIComponent(`Check this! ${journey.platform.link('deleted')} #x`)}`);
    expect(await page.locator('#link').inputValue()).toMatch(/^https:\/\/www\.tiktok\.com\/\S+$/);
  });

  test('can be removed one by one, by keyboard as well', async () => {
    const page = await open('/');
    const posts = [
      ['only-576', 'One encoding: H.264, 576'],
      ['landscape', 'Wider than high'],
      ['ordinary', 'Morning crossing'],
    ] as const;
    for (const [name] of posts) {
      await ask(page, journey.platform.link(name));
      await hasResult(page);
      await page.waitForURL((url) => url.searchParams.get('url') === journey.platform.link(name));
    }
    await page.getByRole('link', { name: 'Download another' }).click();
    const titles = () => page.locator('.recent li bdi').allTextContents();
    expect(await page.locator('.recent li').count()).toBe(3);
    // A title has the width of its row.
    const [row, list] = [
      await page.locator('.recent li').first().boundingBox(),
      await page.locator('.recent ul').boundingBox(),
    ];
    expect(row?.width).toBe(list?.width);
    await page.getByRole('button', { name: /Remove from the list: Wider than high/ }).focus();
    await page.keyboard.press('Enter');
    expect((await titles()).map((title) => title.slice(0, 7))).toEqual(['Morning', 'One enc']);
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
    expect(await focused()).toContain('One encoding');
    await page
      .locator('[role="status"]', { hasText: 'Removed from the list: Wider' })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    expect(await focused()).toContain('Morning crossing');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('link');
    expect(await page.locator('.recent').count()).toBe(0);
  });
});

describe('without scripts', () => {
  const bare = { javaScriptEnabled: false };

  test('a wrong link is answered at the box, with the way to another', async () => {
    const page = await open('/', bare);
    await page.locator('#link').fill('hello');
    await page.locator('.link-submit').click();
    expect(await page.locator('.asked #tool-failure').textContent()).toContain(
      'Please paste a video address',
    );
    expect(await page.locator('#link').getAttribute('aria-describedby')).toContain('tool-failure');
    await page.getByRole('link', { name: 'Clear and paste another' }).click();
    await page.locator('.hero-below').waitFor();
    expect(await page.locator('#link').inputValue()).toBe('');
  });

  test('another try is a press on a button, a second link one on a link', async () => {
    const page = await open('/', bare);
    await page.locator('#link').fill(journey.platform.link('server-error-everywhere'));
    await page.locator('.link-submit').click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page
      .locator('#link')
      .fill(`${journey.platform.link('deleted')} ${journey.platform.link('ordinary')}`);
    await page.locator('.link-submit').click();
    await page.locator('.other-link a').click();
    await hasResult(page);
    // Links to the other pages and languages carry it.
    await page.locator('.footer-languages').getByText('Deutsch').click();
    await page.waitForURL('**/de?url=*');
    await hasResult(page);
  });
});
