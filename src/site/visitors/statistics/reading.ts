/** How far down a page reaches what a visitor has seen of it. */
export interface Extent {
  /** Pixels from the page's top to the window's lower edge. */
  readonly seen: number;
  /** The page's height. */
  readonly total: number;
}

/** How far a page was read. */
export interface Reading {
  /** To be called when the visitor has scrolled. */
  scrolled(): void;
  /** To be called when the page is shown, and before it is left. */
  look(): void;
  /** The farthest so far, 0 to 100. */
  readonly highest: number;
}

const milestones = [20, 40, 60, 80, 100];

/** @param reached told of each milestone once, in their order */
export function createReading(measure: () => Extent, reached: (percent: number) => void): Reading {
  let highest = 0;
  let told = 0;
  function update(): void {
    const { seen, total } = measure();
    // A pixel may be lost where the window's edge falls between two.
    const percent = seen + 1 >= total ? 100 : Math.floor((seen / total) * 100);
    highest = Math.max(highest, percent);
  }
  return {
    look: update,
    scrolled() {
      update();
      const before = told;
      told = highest;
      for (const milestone of milestones) if (milestone > before && milestone <= told) reached(milestone);
    },
    get highest() {
      return highest;
    },
  };
}
