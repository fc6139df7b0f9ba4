import type { BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { storedItems } from '../../src/site/visitors/stored/stored-items.ts';
import { untilScriptsRun } from './browser.ts';
import type { BrowserVisits } from './browser-visit.ts';

/** The host of the tag script in these tests. */
export const tagHost = 'https://tags.example';

/** Its effects on a page and its cookies, like those of Google's tag. */
const tagScript = `document.title = 'tagged';
for (const name of ['_ga', '_ga_T1', '_gid', '_gcl_au']) document.cookie = name + '=1; Path=/; Max-Age=9999';`;

/** The site's own server ignores browsers that identify themselves as headless. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36';

/** Names of the list, by storage and purpose, and the variants of experiments. */
function listed(isAllowed: (kind: string) => boolean): RegExp {
  const names = Object.entries(storedItems)
    .filter(([, { kind }]) => isAllowed(kind))
    .map(([name, { where }]) => `${where} ${name.replace('*', '.*')}`);
  return new RegExp(`^(?:${[...names, 'cookie sidebarAB', 'cookie resourceBannerAB'].join('|')})$`);
}

/** Items that may be stored before an answer and after a refusal, and after consent. */
export const withoutConsent = listed((kind) => kind !== 'statistics' && kind !== 'push');
const allListed = listed(() => true);
export const withConsent = new RegExp(`${allListed.source}|^cookie _(?:ga|ga_T1|gid|gcl_au)$`);

/** Everything that the browser stores, by storage. */
export async function stored(context: BrowserContext, page: Page): Promise<string[]> {
  const cookies = (await context.cookies()).map(({ name }) => `cookie ${name}`);
  const others = await page.evaluate(async () => {
    const folders: string[] = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) folders.push(name);
    return [
      ...Object.keys(localStorage).map((name) => `localStorage ${name}`),
      ...Object.keys(sessionStorage).map((name) => `sessionStorage ${name}`),
      ...(await caches.keys()).map((name) => `cacheStorage ${name}`),
      ...(await indexedDB.databases()).map(({ name }) => `indexedDB ${name}`),
      ...folders.map((name) => `privateFiles ${name}`),
    ];
  });
  return [...cookies, ...others].sort();
}

/** A visitor whose every action is recorded. */
export interface RecordedVisitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests to other hosts, and to the endpoints that learn about visitors. */
  reported(): string[];
  forget(): void;
}

/** Opens a page of a fresh visitor, whose device may have the site's service worker; the tag's host responds. */
export async function recordVisitor(
  visits: BrowserVisits,
  options: BrowserContextOptions = {},
): Promise<RecordedVisitor> {
  const { context, page } = await visits.open({ userAgent, serviceWorkers: 'allow', ...options });
  const { origin: own } = visits.product;
  const requests: Request[] = [];
  context.on('request', (request) => requests.push(request));
  await context.route(`${tagHost}/**`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: tagScript }),
  );
  const learns = /^\/(?:api\/(?:web|monitoring)|index\.php)/;
  return {
    context,
    page,
    reported: () =>
      requests
        .filter((request) => {
          const { origin, pathname } = new URL(request.url());
          return origin !== own || learns.test(pathname);
        })
        .map((request) => `${request.method()} ${request.url().replace(own, '')}`),
    forget: () => void requests.splice(0),
  };
}

/** Opens a page, triggers everything that is loaded later, and waits until it is complete. */
export async function look(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilScriptsRun(page);
  // The bar's handler is loaded at the first gesture after hydration.
  let x = 0;
  await expect
    .poll(
      async () => {
        x += 10;
        await page.mouse.move(x, x);
        return page.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes('/answering-')),
        );
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  await page.waitForLoadState('networkidle');
}

/** Number of concurrent tabs, which wait in parallel. */
const tabs = 5;

/** Opens several pages of a visitor in separate tabs. */
export async function lookAtAll(
  context: BrowserContext,
  paths: readonly string[],
  check: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const queue = paths.values();
  await Promise.all(
    Array.from({ length: tabs }, async () => {
      const page = await context.newPage();
      for (const path of queue) {
        await look(page, path);
        await check(page, path);
      }
      await page.close();
    }),
  );
}

/** The consent bar. */
export const bar = (page: Page) => page.locator('.consent');

/** Answers it. @param value of a button */
export const answerBar = (page: Page, value: 'all' | 'none') =>
  page.locator(`.consent-answers [value=${value}]`).click();
