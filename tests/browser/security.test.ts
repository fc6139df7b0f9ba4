import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { openPage, untilAddress } from '../support/browser.ts';
import type { Journey } from '../support/journey.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedJourney } from '../support/shared-journey.ts';

/** One address of every kind of page. */
const kinds = [
  '/',
  '/tiktok-downloader',
  '/api',
  '/contact',
  '/contact-new1',
  '/dmca',
  '/privacy-policy',
  '/terms-of-use-new1',
  '/posts',
  '/posts-new1',
  '/posts/guides',
  '/view-articles',
  '/author',
  '/pagelink',
  '/404',
  '/no-such-page',
];

let journey: Journey;
let browser: Browser;
beforeAll(async () => {
  [journey, browser] = await Promise.all([sharedJourney(), sharedBrowser()]);
});

/** Pages that are opened by links, without loading a document. */
const mostClicks = isAudit ? 40 : 12;

/** Makes the page record every policy violation. */
async function watchPolicy(page: Page): Promise<() => Promise<unknown[]>> {
  await page.addInitScript(() => {
    const forbidden: string[] = [];
    Object.assign(globalThis, { forbidden });
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sample, sourceFile }) => {
        forbidden.push(`${location.pathname}: ${violatedDirective} ${blockedURI} ${sample} ${sourceFile}`);
      },
    );
  });
  return () => page.evaluate<unknown[]>('forbidden');
}

/** The scripts have hydrated the page. */
const isAlive = (page: Page) =>
  page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith('__react')));

test('no page violates its policy, nor does changing between pages', async () => {
  const { page, context, problems } = await openPage(browser, journey.product.origin);
  const forbidden = await watchPolicy(page);
  for (const path of kinds) {
    const answer = await page.goto(path);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*/);
    await isAlive(page);
    expect([path, await forbidden(), problems]).toEqual([path, [], []]);
  }
  await page.goto('/');
  await isAlive(page);
  await page.evaluate('globalThis.sameDocument = true');
  const seen = new Set(['/']);
  for (let clicks = 0; clicks < mostClicks; clicks += 1) {
    // In one step: a link may disappear with its page between finding and clicking it.
    const next = await page.evaluate(
      (been) => {
        const links = document.querySelectorAll<HTMLElement>(
          'footer a[href^="/"]:not([target]), main a[href^="/"]:not([target]):not([download])',
        );
        const href = [...links]
          .map((link) => link.getAttribute('href') ?? '')
          .find((one) => !been.includes(one) && !/\.|cookie_set|#|\?/.test(one));
        document.querySelector<HTMLElement>(`a[href="${href}"]`)?.click();
        return href;
      },
      [...seen],
    );
    if (next === undefined) break;
    seen.add(next);
    await untilAddress(page, next);
    await page.waitForFunction(() => document.title !== '');
  }
  expect(seen.size).toBeGreaterThan(10);
  expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
  expect(await forbidden()).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});
