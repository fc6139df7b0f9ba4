import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';

let shared: Promise<Browser> | undefined;

/** The browser of this worker's files, which run one after the other; each begins without pages. Nobody closes it. */
export async function sharedBrowser(): Promise<Browser> {
  const running = await shared;
  if (running === undefined || !running.isConnected()) shared = launchBrowser();
  return shared as Promise<Browser>;
}

/** Closes all pages, with everything that visitors have stored. */
export async function closeAllPages(): Promise<void> {
  const browser = await shared;
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}
