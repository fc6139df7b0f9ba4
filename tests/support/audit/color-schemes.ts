import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { contrastViolations, violations } from './axe.ts';

/** Waits for the transitions from one colour scheme to the other. */
const colorsHaveChanged = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });

/**
 * Has axe look at the page in light, and at its colours in dark as well. Its context must bypass the content security
 * policy.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await colorsHaveChanged(page);
  expect([name, await violations(page)]).toEqual([name, []]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await colorsHaveChanged(page);
  expect([name, 'dark', await contrastViolations(page)]).toEqual([name, 'dark', []]);
}
