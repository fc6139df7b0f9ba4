import type { Page } from 'playwright-core';

interface ShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

interface Noted {
  readonly startTime: number;
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly nodes: readonly (Node | null)[];
  /** The element that moved, from where, and to where. */
  readonly what: string;
}

/** The layout shifts in a page so far. */
export interface LayoutShifts {
  /**
   * The sum of unprompted shifts, weighted as browsers do for "cumulative layout shift"; with a selector, of shifts in
   * the selected elements.
   */
  sum(selector?: string): Promise<number>;
  /**
   * Each shift in words, also one just after a visitor's action: for a test that allows none.
   * @param sinceMs only those from a time of the page on (`painted()`)
   */
  list(sinceMs?: number): Promise<string[]>;
  /**
   * Waits until what is in the document now is painted, and so has been counted.
   * @returns the time for `list`: the browser's own, also in a page with a fake clock
   */
  painted(): Promise<number>;
}

/** Records what moves in a page (Layout Instability API); call it before the page opens. */
export async function watchShifts(page: Page): Promise<LayoutShifts> {
  await page.addInitScript(() => {
    const shifts: Noted[] = [];
    const now = performance.now.bind(performance);
    const frame = requestAnimationFrame.bind(globalThis);
    const painted = () =>
      new Promise<number>((resolve) => {
        frame(() => frame(() => resolve(now())));
      });
    Object.assign(globalThis, { shifts, painted });
    const box = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}x${height}`;
    const name = (node: Node | null) =>
      node instanceof Element ? `${node.tagName.toLowerCase()}.${node.classList}` : node?.nodeName;
    new PerformanceObserver((list) => {
      for (const { startTime, value, hadRecentInput, sources } of list.getEntries() as ShiftEntry[]) {
        const moves = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${name(node)} ${box(previousRect)} -> ${box(currentRect)}`,
        );
        shifts.push({
          startTime,
          value,
          hadRecentInput,
          nodes: sources.map(({ node }) => node),
          what: `${value}: ${moves.join('; ')}`,
        });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  /** All shifts, or those of the elements that the selector finds and of their contents. */
  const noted = (selector: string) =>
    page.evaluate((outer) => {
      const { shifts } = globalThis as unknown as { readonly shifts: readonly Noted[] };
      const isWithin = (node: Node | null) => (node as Element | null)?.closest?.(outer) != null;
      return shifts
        .filter(({ nodes }) => outer === 'html' || nodes.some(isWithin))
        .map(({ startTime, value, hadRecentInput, what }) => ({ startTime, value, hadRecentInput, what }));
    }, selector);
  return {
    sum: async (selector = 'html') =>
      (await noted(selector))
        .filter(({ hadRecentInput }) => !hadRecentInput)
        .reduce((sum, { value }) => sum + value, 0),
    painted: () => page.evaluate(() => (globalThis as unknown as { painted(): Promise<number> }).painted()),
    list: async (sinceMs = 0) =>
      (await noted('html')).filter(({ startTime }) => startTime >= sinceMs).map(({ what }) => what),
  };
}
