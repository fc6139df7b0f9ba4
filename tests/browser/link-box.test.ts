import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { untilAddress, untilScriptsRun } from '../support/browser.ts';
import { hasResult, holdQuestions, isInSight, submitLink, visitTool } from '../support/tool-visits.ts';

const visits = visitTool();

const shareSheet = 'In TikTok, tap Share on the post, then Copy link, and paste it here.';

describe('an error in a link appears at the box', () => {
  const general = 'Please paste a video address with https:// or http://, for example https://';
  const wrongOn = [
    [
      '/',
      [
        ['hello', general, shareSheet],
        ['', general, shareSheet],
        ['https://www.youtube.com/watch?v=1', 'Please enter a valid video URL', 'Only TikTok links'],
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
          'TikTok’ta gönderideki Paylaş’a',
        ],
      ],
    ],
  ] as const;
  test.each(sample(wrongOn, ([path]) => path === '/'))('on %s', async (path, cases) => {
    const page = await visits.open(path);
    for (const [text, message, hint] of cases) {
      await submitLink(page, text);
      await page.locator('#tool-failure', { hasText: message }).waitFor();
      const first = page.locator('#tool-failure-hint', { hasText: hint });
      await first.waitFor();
      const description = await page.locator('#link').evaluate((field) =>
        (field.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent)
          .join(' '),
      );
      // The instruction is read before the message.
      expect(description.indexOf(hint)).toBeGreaterThanOrEqual(0);
      expect(description.indexOf(message)).toBeGreaterThan(description.indexOf(hint));
      expect(await page.locator('.failure-notice p').allTextContents()).toEqual([
        expect.stringContaining(hint),
        expect.stringContaining(message),
      ]);
      await page.locator('[role="status"]', { hasText: message }).waitFor({ state: 'attached' });
      const [box, below] = [await page.locator('.link-box').boundingBox(), await first.boundingBox()];
      expect((below?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0)).toBeLessThan(50);
      expect(await page.locator('.facts').count()).toBe(0);
    }
  });

  test('in sight together with it on a phone, whatever else is on the page', { skip: !isAudit }, async () => {
    const page = await visits.open('/', { viewport: { width: 360, height: 640 } });
    for (const name of ['only-576', 'only-480', 'landscape']) {
      await submitLink(page, visits.journey.platform.link(name));
      await hasResult(page);
      await untilAddress(page, '/', /./);
      await page.getByRole('link', { name: 'Paste another link' }).click();
    }
    await page.locator('.recent li').nth(2).waitFor();
    await submitLink(page, 'https://www.tiktok.com/@nobody.here');
    await page.locator('.failure-notice').waitFor();
    expect([await isInSight(page, '.link-box'), await isInSight(page, '.failure-notice')]).toEqual([
      true,
      true,
    ]);
  });

  test('with what helps, and nothing else', async () => {
    const page = await visits.open('/');
    const usual = ['@nobody.here', 'region-fenced', 'server-error-everywhere'];
    const offers = [
      ['https://www.tiktok.com/@nobody.here', 'Clear and paste another'],
      ['@nobody.here', 'Clear and paste another'],
      ['deleted', 'Clear and paste another'],
      ['self-only', 'Open in TikTok'],
      ['low-age', 'Open in TikTok'],
      ['region-fenced', 'Open in TikTok'],
      ['music-unshelved', null],
      ['server-error-everywhere', 'Try again'],
    ] as const;
    for (const [name, offer] of sample(offers, ([one]) => usual.includes(one))) {
      // A fresh start each time: a message about one link could be mistaken for one about the next.
      await page.goto('/');
      await untilScriptsRun(page);
      await submitLink(page, visits.journey.platform.links[name] ?? name);
      await page.locator('.failure-notice').waitFor();
      const offered = await page.locator('.failure-notice .button').allTextContents();
      expect([name, offered]).toEqual([name, offer === null ? [] : [offer]]);
      const invalid = await page.locator('#link').getAttribute('aria-invalid');
      expect([name, invalid]).toEqual([name, offer === 'Try again' ? null : 'true']);
      if (offer === 'Open in TikTok')
        expect(await page.locator('.failure-notice a').getAttribute('href')).toMatch(
          /^https:\/\/www\.tiktok\.com\/.*\d{19}$/,
        );
      if (offer !== 'Clear and paste another') continue;
      await page.locator('.failure-notice .button').click();
      expect(await page.locator('#link').inputValue()).toBe('');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('link');
      expect(await page.locator('.failure-notice').count()).toBe(0);
    }
  });

  test('a wait has one form of message', { skip: !isAudit }, async () => {
    const page = await visits.open('/');
    await submitLink(page, visits.journey.platform.link('throttled-everywhere'));
    await page.locator('.failure-wait', { hasText: /Try again in \d+ seconds/ }).waitFor();
    expect(await page.locator('#tool-failure').textContent()).not.toMatch(/minute/);
    expect(await page.locator('.failure-notice .button').count()).toBe(0);
  });

  test.runIf(isAudit).each([true, false])(
    'far too much text, with scripts: %s',
    async (javaScriptEnabled) => {
      const page = await visits.open('/', { javaScriptEnabled });
      await page.locator('#link').fill('word '.repeat(1_000));
      await page.locator('.link-submit').click();
      await page.locator('#tool-failure', { hasText: 'That’s too much text.' }).waitFor();
      await page.locator('#tool-failure-hint', { hasText: shareSheet }).waitFor();
      // It still finds a link at the beginning.
      await page
        .locator('#link')
        .fill(`${visits.journey.platform.link('ordinary')} ${'word '.repeat(1_000)}`);
      await page.locator('.link-submit').click();
      await hasResult(page);
    },
  );
});

test('accepts a link wherever on the page it is pasted or dropped, and the box makes room for its result', {
  skip: !isAudit,
}, async () => {
  const page = await visits.open('/');
  const drop = (selector: string, type: string, text: string) =>
    page.locator(selector).evaluate(
      (element, [kind, given]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData(kind as string, given as string);
        const send = (name: string) =>
          element.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
        send('dragenter');
        // A browser follows a dropped link that no handler takes.
        return [send('dragover'), send('drop')];
      },
      [type, text],
    );
  const paste = (text: string) =>
    page.evaluate((given) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', given);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, text);
  await paste(visits.journey.platform.link('ordinary'));
  await page.locator('.result').getByText('720 × 1280').first().waitFor();
  await page.locator('.link-submit').waitFor({ state: 'hidden' });
  expect(await drop('h1', 'text/uri-list', visits.journey.platform.link('landscape'))).toEqual([
    false,
    false,
  ]);
  await page.locator('.result').getByText('1280 × 720').first().waitFor();
  // Another text is not a link: it waits in the box, which has its button again.
  await paste('no link at all');
  expect(await page.locator('#link').inputValue()).toBe('no link at all');
  await page.locator('.link-submit').waitFor();
  expect(await page.locator('#tool-failure').count()).toBe(0);
});

describe('a look-up', () => {
  test('says after four seconds that it takes long, and can be cancelled', async () => {
    const page = await visits.open('/');
    await page.clock.install();
    await holdQuestions(page);
    // From here on time passes only when the test says so.
    await page.clock.pauseAt(Date.now() + 60_000);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/resolve'));
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await page.locator('.result-skeleton').waitFor();
    await page.clock.runFor(3_900);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await page.clock.runFor(200);
    await page.locator('.result-slow').getByText('TikTok is being slow').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await ended;
    await page.locator('.result-skeleton').waitFor({ state: 'detached' });
    expect(await page.locator('#link').inputValue()).toBe(visits.journey.platform.link('ordinary'));
    await page.locator('[role="status"]', { hasText: 'Canceled' }).waitFor({ state: 'attached' });
  });

  test('happens once, however often it is requested, and for the newest link', {
    skip: !isAudit,
  }, async () => {
    const page = await visits.open('/');
    const release = await holdQuestions(page);
    const requested: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/resolve')) requested.push(request.postData() ?? '');
    });
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await page.locator('#link').press('Enter');
    await page.locator('#link').press('Enter');
    expect(requested).toHaveLength(1);
    await submitLink(page, visits.journey.platform.link('landscape'));
    release();
    await page.locator('.result').getByText('1280 × 720').first().waitFor();
    expect(requested).toHaveLength(2);
    await untilAddress(page, '/', visits.journey.platform.link('landscape'));
  });

  test('reports a missing network; the link stays, and the look-up runs when the network is back', {
    skip: !isAudit,
  }, async () => {
    const page = await visits.open('/');
    // The page has loaded all its later code.
    await page.waitForLoadState('networkidle');
    await visits.watched.context.setOffline(true);
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await page.locator('#tool-failure').waitFor();
    expect(await page.locator('#tool-failure').textContent()).toBe(
      'Sorry, the video download failed, check your internet connection and retry. If your connection is fine, our server may be busy: try again in a minute.',
    );
    expect(await page.locator('#tool-failure-hint').textContent()).toContain('You seem to be offline.');
    await untilAddress(page, '/', visits.journey.platform.link('ordinary'));
    await visits.watched.context.setOffline(false);
    await hasResult(page);
  });
});

test('keeps a text out of the address that has no room for it when the network is away', {
  skip: !isAudit,
}, async () => {
  const page = await visits.open('/');
  await page.waitForLoadState('networkidle');
  await visits.watched.context.setOffline(true);
  await submitLink(page, `${visits.journey.platform.link('ordinary')} ${'x'.repeat(500)}`);
  await page.locator('#tool-failure').waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(await page.evaluate(() => location.search)).toBe('');
  await visits.watched.context.setOffline(false);
  await hasResult(page);
});

describe('a clipboard that returns nothing', () => {
  const spoil = (page: Page, answer: 'refused' | 'empty') =>
    page.evaluate((how) => {
      navigator.clipboard.readText = () =>
        how === 'empty' ? Promise.resolve('') : Promise.reject(new DOMException('no', 'NotAllowedError'));
    }, answer);

  const spoiled = [
    [false, 'refused', 'press Ctrl+V'],
    [true, 'refused', 'Touch and hold the box, then tap Paste.'],
    [false, 'empty', 'There’s no text on your clipboard.'],
  ] as const;
  test.each(sample(spoiled, ([hasTouch]) => hasTouch))(
    'is reported below the box, touch: %s, %s',
    async (hasTouch, answer, hint) => {
      const page = await visits.open('/', {
        hasTouch,
        isMobile: hasTouch,
        viewport: { width: 360, height: 740 },
      });
      await spoil(page, answer);
      await page.locator('.link-paste').click();
      await page.locator('.hero-form .failure-notice').getByText(hint).waitFor();
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('link');
      expect(await page.locator('#link').getAttribute('aria-describedby')).toBe('paste-hint');
      await submitLink(page, visits.journey.platform.link('ordinary'));
      await hasResult(page);
      expect(await page.locator('.failure-notice').count()).toBe(0);
    },
  );
});

describe('the last links', () => {
  test('contain what a share sheet sent, of which only the link is in the box', {
    skip: !isAudit,
  }, async () => {
    const page = await visits.open(
      `/?text=${encodeURIComponent(`Check this! ${visits.journey.platform.link('short-vm')}`)}&title=x`,
    );
    await hasResult(page);
    const link = 'https://www.tiktok.com/@ferry.captain/video/7615133378163811813';
    expect(await page.locator('#link').inputValue()).toBe(link);
    await page.waitForURL((url) => url.searchParams.get('url') === link && !url.searchParams.has('text'));
    // The displayed post is not in the list below it.
    expect(await page.locator('.recent').count()).toBe(0);
    await page.getByRole('link', { name: 'Paste another link' }).click();
    await page.locator('.recent li').getByText('Morning crossing').waitFor();

    await page.goto(
      `/?text=${encodeURIComponent(`Check this! ${visits.journey.platform.link('deleted')} #x`)}`,
    );
    expect(await page.locator('#link').inputValue()).toMatch(/^https:\/\/www\.tiktok\.com\/\S+$/);
  });

  test('can be removed one by one, also by keyboard', { skip: !isAudit }, async () => {
    const page = await visits.open('/');
    const posts = [
      ['only-576', 'One encoding: H.264, 576'],
      ['landscape', 'Wider than high'],
      ['ordinary', 'Morning crossing'],
    ] as const;
    for (const [name] of posts) {
      await submitLink(page, visits.journey.platform.link(name));
      await hasResult(page);
      await untilAddress(page, '/', visits.journey.platform.link(name));
    }
    await page.getByRole('link', { name: 'Paste another link' }).click();
    const titles = () => page.locator('.recent li bdi').allTextContents();
    await expect.poll(() => page.locator('.recent li').count()).toBe(3);
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

  test('answers a wrong link at the box, with a way to enter another', { skip: !isAudit }, async () => {
    const page = await visits.open('/', bare);
    await page.locator('#link').fill('hello');
    await page.locator('.link-submit').click();
    expect(await page.locator('.hero-form #tool-failure').textContent()).toContain(
      'Please paste a video address',
    );
    expect(await page.locator('#link').getAttribute('aria-describedby')).toContain('tool-failure');
    await page.getByRole('link', { name: 'Clear and paste another' }).click();
    await page.locator('.hero-below').waitFor();
    expect(await page.locator('#link').inputValue()).toBe('');
  });

  test('a retry is a press on a button, and one of several links a press on its name', {
    skip: !isAudit,
  }, async () => {
    const page = await visits.open('/', bare);
    await page.locator('#link').fill(visits.journey.platform.link('server-error-everywhere'));
    await page.locator('.link-submit').click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page
      .locator('#link')
      .fill(`${visits.journey.platform.link('deleted')} ${visits.journey.platform.link('ordinary')}`);
    await page.locator('.link-submit').click();
    await page.locator('.list-row .list-name').last().click();
    await hasResult(page);
    // Links to the other pages and languages carry it.
    await page.locator('.footer-languages').getByText('Deutsch').click();
    await untilAddress(page, '/de', /./);
    await hasResult(page);
  });
});
