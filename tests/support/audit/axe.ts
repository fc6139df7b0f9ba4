import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds on the page that is shown: all its rules, WCAG 2.2 AA and good practice. The page's context must
 * bypass the content security policy.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const run = `axe.run(document, { runOnly: ${JSON.stringify(tags)} })`;
  const { violations: found } = (await page.evaluate(run)) as AxeResults;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}
