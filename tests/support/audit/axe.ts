import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * axe's findings on the present page: all its rules, WCAG 2.2 AA and best practices. The page's context must bypass the
 * content security policy.
 */
export function violations(page: Page): Promise<string[]> {
  return violationsOf(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
}

/** axe's findings in the colours of the present page: everything that another colour scheme changes. */
export function contrastViolations(page: Page): Promise<string[]> {
  return violationsOf(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });
}

/** Finishes fade-ins: an element that is half visible has the colours of neither state. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const ends = (one: Animation) => Number.isFinite(Number(one.effect?.getComputedTiming().endTime));
    const running = document.getAnimations().filter((one) => one.playState === 'running' && ends(one));
    for (const one of running) one.finish();
    await Promise.allSettled(running.map(({ finished }) => finished));
  });

/** An element that fades in during the check has an intermediate contrast, and is checked again afterwards. */
const mostLooks = 3;

async function violationsOf(page: Page, runOnly: NonNullable<RunOptions['runOnly']>): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(source);
  // For everything that passes, axe would record every element and a selector for it, which doubles the work.
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  const run = `axe.run(document, ${JSON.stringify(options)})`;
  let found: AxeResults['violations'] = [];
  const isContrast = ({ id }: { id: string }) => id === 'color-contrast';
  for (let looks = 0; looks === 0 || (found.some(isContrast) && looks < mostLooks); looks += 1) {
    await settle(page);
    found = ((await page.evaluate(run)) as AxeResults).violations;
  }
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html} (${node.any.map(({ message }) => message).join('; ')})`).join(' ')}`,
  );
}
