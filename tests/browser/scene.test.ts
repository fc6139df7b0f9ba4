import { describe, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { inMotion, untilScriptsRun } from '../support/browser.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { hasResult, holdQuestions, submitLink, visitTool } from '../support/tool-visits.ts';

const visits = visitTool();

/** For actions that are slow on a busy machine. */
const patient = { timeout: 15_000 };

/** The elements that move at the moment, by animation or property. */
const movements = () =>
  document
    .getAnimations()
    .map((one) => (one as CSSAnimation).animationName ?? (one as CSSTransition).transitionProperty);

test('the first screen of a small phone has name, ferry, crates, box and promises, below the question about cookies', async () => {
  const page = await visits.open('/', { viewport: { width: 360, height: 640 } });
  for (const selector of [
    '.header .logo',
    '.consent [value=none]',
    'h1',
    '.dock .boat',
    '.crate:last-child button',
    '.link-submit',
    '.facts li:last-child',
  ]) {
    const box = await page.locator(selector).boundingBox();
    expect([selector, (box?.y ?? 1000) + (box?.height ?? 0) < 640]).toEqual([selector, true]);
  }
  expect(await page.locator('.facts li').allTextContents()).toEqual([
    'Free',
    'No ads',
    'No tracking unless you agree',
  ]);
});

const made: readonly (readonly [string, readonly string[]])[] = [
  ['/', ['MP4 720p', 'HD', 'MP3', 'Photos']],
  ['/ar', ['MP4 720p', 'HD', 'MP3', 'صور']],
  ['/tiktok-video-downloader', ['MP4 720p', 'HD', 'Photos']],
  ['/download-mp3-tiktok', ['MP3', 'M4A']],
];

test.runIf(isAudit).each(made)('%s shows what it makes', async (path, names) => {
  const page = await visits.open(path);
  expect(await page.locator('.crate').allTextContents()).toEqual(names);
});

describe('the ferry', () => {
  const place = async (page: Awaited<ReturnType<typeof visits.open>>) =>
    (await page.locator('.boat').boundingBox())?.x ?? 0;

  // In the audit it also sails from the left.
  test.each(sample(['/', '/ar'], (path) => path === '/ar'))(
    'on %s waits, sails during a look-up, and lands with its cover',
    async (path) => {
      const page = await visits.open(path, inMotion);
      const start = await place(page);
      const release = await holdQuestions(page);
      await submitLink(page, visits.journey.platform.link('ordinary'));
      await page.locator('.scene-sailing').waitFor();
      const sign = path === '/ar' ? -1 : 1;
      await expect.poll(async () => sign * ((await place(page)) - start), patient).toBeGreaterThan(20);
      expect(await page.evaluate(movements)).toContain('scene-drift');
      expect(await page.locator('.scene-cargo').count()).toBe(0);
      release();
      await hasResult(page);
      const cover = page.locator('.scene-landed .scene-cargo img');
      await expect
        .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth), patient)
        .toBeGreaterThan(0);
      expect(await page.locator('.crate').count()).toBe(0);
      // Waits until nothing on the page moves for longer than an observation takes.
      await expect.poll(() => page.evaluate(movements), patient).toEqual([]);
      expect(sign * ((await place(page)) - start)).toBeGreaterThan(200);
      await page.locator('.result-another').click();
      await page.locator('.scene-waiting').waitFor();
      await expect.poll(() => place(page), patient).toBeCloseTo(start, 0);
    },
  );

  test('is there at once for a link in the address, and nothing moves by itself for long', {
    skip: !isAudit,
  }, async () => {
    const address = `/?url=${encodeURIComponent(visits.journey.platform.link('ordinary'))}`;
    const page = await visits.open(address, inMotion);
    await page.locator('.scene-landed .scene-cargo img').waitFor();
    await expect.poll(() => page.evaluate(movements), patient).toEqual([]);
  });

  test('does not move when the visitor prefers reduced motion', { skip: !isAudit }, async () => {
    const page = await visits.open('/', { reducedMotion: 'reduce' });
    const start = await place(page);
    expect(await page.evaluate(movements)).toEqual([]);
    const release = await holdQuestions(page);
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await page.locator('.scene-sailing').waitFor();
    expect(await page.evaluate(movements)).not.toContain('scene-drift');
    expect(await place(page)).toBeGreaterThan(start + 100);
    release();
    await page.locator('.scene-landed .scene-cargo img').waitFor();
  });
});

test('a sign replaces a missing picture: on the card, on the ferry and in the gallery', {
  skip: !isAudit,
}, async () => {
  const page = await visits.open('/');
  // Covers and previews fail before a script of the page can notice.
  let release = () => {};
  const failed = new Promise<void>((resolve) => {
    release = resolve;
  });
  let left = 2;
  await page.route('**/api/pictures/**', async (route) => {
    await route.fulfill({ status: 502, body: '' });
    left -= 1;
    if (left === 0) release();
  });
  await page.route('**/*.js', async (route) => {
    await failed;
    await route.continue();
  });
  await page.goto(`/?url=${encodeURIComponent(visits.journey.platform.link('photos'))}`);
  await untilScriptsRun(page);
  await page.locator('.gallery-picture').last().scrollIntoViewIfNeeded();
  for (const place of [
    '.result-cover',
    '.scene-cargo',
    '.gallery-frame >> nth=0',
    '.gallery-frame >> nth=3',
  ]) {
    // The sign's own icon, not one of a button over the picture.
    await page.locator(place).locator('.icon:not(button .icon)').waitFor();
    expect([place, await page.locator(place).locator('img').count()]).toEqual([place, 0]);
  }
});

test('the scene shifts nothing', async () => {
  const page = await visits.open('/', inMotion);
  await untilScriptsRun(page);
  const shifted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
  expect(shifted).toBe(0);
});

const lateResults = [
  [360, 300],
  [390, 1000],
  [768, 4000],
  [1440, 1000],
] as const;

test.each(sample(lateResults, ([width]) => width === 390))(
  'at %d pixels a result that comes after %d ms moves nothing, and neither do the presses in it',
  async (width, delayMs) => {
    const page = await visits.open('/', { viewport: { width, height: width < 600 ? 664 : 900 } });
    const shifts = await watchShifts(page);
    await page.reload();
    await untilScriptsRun(page);
    await page.clock.install();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/resolve*', async (route) => {
      await held;
      await route.continue();
    });
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await page.locator('.result-skeleton').waitFor();
    // The browser forgives what moves within half a second after a press.
    await page.clock.runFor(delayMs);
    const afterPress = await shifts.painted();
    release();
    await hasResult(page);
    await page.locator('.result-cover img').waitFor();
    expect(await shifts.list(afterPress)).toEqual([]);
    await page.locator('.option-link').first().click();
    await page.locator('[data-stage="saved"]').waitFor();
    expect(await shifts.sum()).toBe(0);
  },
);

test.each(sample(['/', '/de', '/ar', '/hi'], (path) => path === '/de'))(
  'letters of twice the size stay inside a phone with a result (%s)',
  async (path) => {
    const page = await visits.open(path, { viewport: { width: 390, height: 844 } });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    await submitLink(page, visits.journey.platform.link('ordinary'));
    await hasResult(page);
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('.result, .result *, .hero-form *:not(svg, svg *)')]
        .filter((one) => {
          const { left, right, width } = one.getBoundingClientRect();
          return width > 1 && (left < -1 || right > innerWidth + 1) && one.closest('.scene') === null;
        })
        .map((one) => one.className),
    );
    expect(outside).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  },
);
