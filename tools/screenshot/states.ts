import type { BrowserContext, Page } from 'playwright-core';
import { consentValue } from '../../src/site/consent/consent-cookie.ts';
import type { Journey } from '../../tests/support/journey.ts';
import { submitLink } from '../../tests/support/tool-visits.ts';

/** A state of the downloader, and how a visitor gets there. */
export interface State {
  /** Whether the site promotes something of every kind. */
  readonly isPromoted?: boolean;
  /** Whether the visitor has not answered the question about cookies. */
  readonly isAsked?: boolean;
  /** The page's share sheet takes files, like that of a phone. */
  readonly sharesFiles?: boolean;
  reach?(page: Page, journey: Journey): Promise<unknown>;
}

export const refuseCookies = (context: BrowserContext, url: string): Promise<void> =>
  context.addCookies([
    { name: 'consent', value: consentValue({ statistics: false, marketing: false }), url },
  ]);

const shows =
  (post: string, then?: (page: Page) => Promise<unknown>) => async (page: Page, journey: Journey) => {
    await submitLink(page, journey.platform.link(post));
    await page.locator('.result:not(.result-skeleton)').waitFor();
    await untilQuiet(page);
    await then?.(page);
  };

const fails = (text: string): State => ({
  async reach(page, journey) {
    await submitLink(page, journey.platform.links[text] ?? text);
    await page.locator('.failure-notice').waitFor();
  },
});

const untilQuiet = (page: Page) => page.waitForLoadState('networkidle');

/** Ads come after the page, and keep out of sight where there is no room. */
async function untilPromoted(page: Page): Promise<void> {
  await page.locator('.promotion .ad').first().waitFor({ state: 'attached' });
  await untilQuiet(page);
}

const holds = async (page: Page, journey: Journey) => {
  await page.route('**/api/resolve*', () => {});
  await submitLink(page, journey.platform.link('ordinary'));
  await page.locator('.result-skeleton').waitFor();
};

const lists = (count: number): State => ({
  async reach(page, { platform }) {
    const links = ['ordinary', 'photos', 'deleted', ...Object.keys(platform.links).slice(3)];
    const text = links.slice(0, count).map((name) => platform.link(name));
    await submitLink(page, text.join(' '));
    await page
      .locator('.list-row')
      .nth(count - 1)
      .waitFor();
    await untilQuiet(page);
  },
});

const saves = (post: string, pressed: string, sign: string): State => ({
  async reach(page, journey) {
    // The platform counts how often a broken file was asked for.
    await journey.platform.reset();
    await shows(post, async () => {
      await page.locator(pressed).first().click();
      await page.locator(sign).first().waitFor({ timeout: 60_000 });
    })(page, journey);
  },
});

/** Every state of the downloader that a visitor may see. */
export const states: Readonly<Record<string, State>> = {
  idle: {},
  'idle-asked': { isAsked: true },
  waiting: { reach: holds },
  slow: {
    async reach(page, journey) {
      await holds(page, journey);
      await page.locator('.result-cancel').waitFor();
    },
  },
  'error-link': fails('https://www.youtube.com/watch?v=1'),
  'error-empty': fails(' '),
  'error-deleted': fails('deleted'),
  'error-private': fails('self-only'),
  'error-wait': fails('throttled-everywhere'),
  offline: {
    async reach(page, journey) {
      await untilQuiet(page);
      await page.context().setOffline(true);
      await submitLink(page, journey.platform.link('ordinary'));
      await page.locator('.failure-notice').waitFor();
    },
  },
  video: { reach: shows('ordinary') },
  'video-asked': { isAsked: true, reach: shows('ordinary') },
  'video-shared': { sharesFiles: true, reach: shows('ordinary') },
  'video-played': {
    reach: shows('ordinary', async (page) => {
      await page.locator('.preview-play').click();
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
    }),
  },
  'video-details': {
    reach: shows('captions', async (page) => {
      await page.locator('.post-details summary').click();
      await page.locator('.details-versions').waitFor();
    }),
  },
  'video-cut': {
    reach: shows('long-60s', async (page) => {
      await page.locator('.cut summary').first().click();
      await page.locator('.cut .scrubber').waitFor();
      await untilQuiet(page);
    }),
  },
  'video-long-text': { reach: shows('long-text') },
  thin: {
    async reach(page, journey) {
      const gate = { desktop: 'challenge', phone: 'challenge', honest: 'challenge' } as const;
      await journey.platform.configure({ gate });
      await shows('no-h265')(page, journey);
      await journey.platform.reset();
    },
  },
  'photos-1': { reach: shows('photos-one') },
  'photos-4': { reach: shows('photos') },
  'photos-35': { reach: shows('photos-35') },
  'photos-shared': { sharesFiles: true, reach: shows('photos') },
  'photos-chosen': {
    reach: shows('photos-35', async (page) => {
      for (const at of [0, 2, 3]) await page.locator('.gallery-picture input').nth(at).check();
    }),
  },
  'photos-moving': { reach: shows('photos-moving') },
  'list-3': lists(3),
  'list-20': lists(20),
  saving: {
    async reach(page, journey) {
      await shows('long-60s')(page, journey);
      await journey.platform.configure({ posts: { 'long-60s': { bandwidthBps: 500_000 } } });
      await page.locator('.option-sound').first().click();
      await page.locator('.option-link .progress').waitFor();
      await journey.platform.reset();
    },
  },
  saved: saves('ordinary', '.option-link', '[data-stage="saved"]'),
  broken: saves('breaks-then-refuses', '.option-link', '.result .notice-error'),
  refused: saves('media-gone', '.option-link', '.result .notice-error'),
  promoted: { isPromoted: true, reach: untilPromoted },
  'promoted-video': { isPromoted: true, reach: shows('ordinary', untilPromoted) },
};
