import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { isAudit } from './audit/scope.ts';

const wholeNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Chromium in headless-shell mode: the same pages at less than half of the CPU time (0.5 s for a visit to the home page
 * against 1.2 s). It has no push messages, and detects idleness differently.
 */
const shellName = 'chromium-headless-shell';

interface BrowserNeeds {
  /** Whether the journey needs a feature that only a browser with a window has. */
  readonly isWhole?: boolean;
}

/** The path of Chromium on this machine. @throws Error when there is none */
export function findChromium({ isWhole = false }: BrowserNeeds = {}): string {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const names = isWhole ? wholeNames : [shellName, ...wholeNames];
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const name of names)
    for (const folder of folders) if (existsSync(join(folder, name))) return join(folder, name);
  throw new Error('No Chromium was found: install it or set CHROMIUM_PATH');
}

/** A headless Chromium that sends no requests of its own. */
export function launchBrowser(needs?: BrowserNeeds): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(needs),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page that records everything that must not happen. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and warnings, errors thrown in the page, and requests to other hosts. */
  readonly problems: readonly string[];
}

/** For a test of motion, or of its absence. */
export const inMotion = { reducedMotion: 'no-preference' } as const;

/**
 * Opens a page as a fresh visitor who prefers reduced motion: drawing the ferry's water and all animations takes as
 * much of the processor as the rest of a page. In the audit everything moves.
 */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en-GB',
    acceptDownloads: true,
    // Tests observe a page's requests and replace responses: a worker would intercept them.
    serviceWorkers: 'block',
    reducedMotion: isAudit ? 'no-preference' : 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    // Chromium reports every response with a status from 400; the tests check those themselves.
    if (/^Failed to load resource: the server responded with a status of [45]/.test(message.text())) return;
    // React preloads a sheet before it inserts it, and a busy machine draws a heading late; Chromium checks once, some
    // seconds after the page's load event.
    if (/\.(css|woff2) was preloaded using link preload but not used/.test(message.text())) return;
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${origin}/`))
      problems.push(`asked ${request.url()}`);
  });
  return { page, context, problems };
}

/** React's state of a document whose hydration has begun; see `isDehydrated` in its sources. */
interface ReactDocument {
  readonly stateNode: {
    readonly current: { readonly memoizedState: { readonly isDehydrated: boolean } | null };
  };
}

/**
 * Waits for hydration: before it, following a link loads a whole document. The router is present earlier, and a page
 * may still wait for a part of its code then.
 */
export async function untilScriptsRun(page: Page): Promise<void> {
  try {
    await page.waitForFunction(() => {
      const [, root] = Object.entries(document).find(([name]) => name.startsWith('__reactContainer$')) ?? [];
      return (root as ReactDocument | undefined)?.stateNode.current.memoizedState?.isDehydrated === false;
    });
  } catch (cause) {
    const heading = await page.locator('h1').first().textContent({ timeout: 1000 });
    throw new Error(`The scripts do not run at ${page.url()}, "${heading}"`, { cause });
  }
}

/**
 * Waits until the page's address has a path, and optionally a link, whatever else its query contains: running
 * experiments add their variants at any time.
 */
export const untilAddress = (page: Page, path: string, link?: string | RegExp): Promise<void> =>
  page.waitForURL(({ pathname, searchParams }) => {
    const shown = searchParams.get('url');
    if (pathname !== path) return false;
    return link === undefined || (typeof link === 'string' ? shown === link : link.test(shown ?? ''));
  });

/** Changes to a page without a document load, like Forward: also to pages to which no link leads. */
export const changeTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((target) => {
    history.pushState(null, '', target);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);

/** Waits until a page is idle: the address changes before the router's state for Back and reload does. */
export const untilIdle = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
