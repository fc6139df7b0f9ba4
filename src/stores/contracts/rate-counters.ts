/** The holder of tries: a visitor, and its address block with a larger number of them. */
interface CountedVisitor {
  readonly key: string;
  readonly block: string;
}

/** The tries of one limit: how many each visitor and each block has made, until its period ends. */
export interface RateCounters {
  /**
   * Counts a try of the visitor, and of the block unless the visitor is refused.
   * @param points how many tries it counts as; 1 by default
   * @returns 0 when both had as many left; else ms until the period ends, at least 1
   */
  spend(visitor: CountedVisitor, points?: number): Promise<number>;
  /** The result of the next `spend`, without counting. */
  look(visitor: CountedVisitor): Promise<number>;
}

/**
 * Creates a counter of tries: for this process only, or shared with other instances.
 * @param name of the limit, the same on all instances
 * @param tries of a visitor and a block in each period
 * @param periodS whole seconds
 */
export type MakeRateCounters = (
  name: string,
  tries: { readonly visitor: number; readonly block: number },
  periodS: number,
) => RateCounters;
