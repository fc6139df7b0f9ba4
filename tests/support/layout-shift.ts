import type { Page } from 'playwright-core';

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}

/**
 * Measures how much of a page moves by itself; to be called before the page is opened.
 * @returns the sum so far, as browsers weigh it for "cumulative layout shift"; of the moves of what a selector finds and
 * of what is in it, where one is given
 */
export async function measureShifts(page: Page): Promise<(selector?: string) => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) shifts.push(entry);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return (selector = 'html') =>
    page.evaluate((within) => {
      const { shifts } = globalThis as unknown as { readonly shifts: readonly Shift[] };
      const isWithin = (node: Node | null) => (node as Element | null)?.closest?.(within) != null;
      return shifts
        .filter(({ sources }) => within === 'html' || sources.some(({ node }) => isWithin(node)))
        .reduce((sum, { value }) => sum + value, 0);
    }, selector);
}
