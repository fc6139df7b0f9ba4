import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { contrastViolations, violations } from './axe.ts';

/** Waits until the colours begin to change; axe checks the final colours. */
const colorsChange = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
  });

/**
 * Runs axe on the page in light mode, and on its colours in dark mode. Its context must bypass the content security
 * policy.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await colorsChange(page);
  expect([name, await violations(page)]).toEqual([name, []]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await colorsChange(page);
  expect([name, 'dark', await contrastViolations(page)]).toEqual([name, 'dark', []]);
}
