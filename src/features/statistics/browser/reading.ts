/** The seen part of a page. */
interface Extent {
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
  /** The page's height when it was last looked at. */
  readonly total: number;
}

const milestones = [20, 40, 60, 80, 100];

/** @param reached called with each milestone once, in order */
export function createReading(measure: () => Extent, reached: (percent: number) => void): Reading {
  let lastReported = 0;
  const reading = {
    highest: 0,
    total: measure().total,
    look() {
      const { seen, total } = measure();
      // A pixel may be lost where the window's edge falls between two.
      const percent = seen + 1 >= total ? 100 : Math.floor((seen / total) * 100);
      reading.total = total;
      reading.highest = Math.max(reading.highest, percent);
    },
    scrolled() {
      reading.look();
      const before = lastReported;
      lastReported = reading.highest;
      for (const milestone of milestones)
        if (milestone > before && milestone <= lastReported) reached(milestone);
    },
  };
  return reading;
}
