/** Who has tries: a visitor, and the neighbourhood that shares a larger number of them. */
interface CountedVisitor {
  readonly key: string;
  readonly block: string;
}

/** The tries of one limit: how many each visitor and each block has made, until its period ends. */
export interface RateCounters {
  /**
   * Counts a try of the visitor, and of the block unless the visitor is refused.
   * @param points how many tries it counts as; 1 when left out
   * @returns 0 when both had as many left; else ms until the period ends, at least 1
   */
  spend(visitor: CountedVisitor, points?: number): Promise<number>;
  /** The same answer as the next `spend` would give, without counting. */
  look(visitor: CountedVisitor): Promise<number>;
}

/**
 * Makes what counts tries: in this process alone, or together with other instances.
 * @param name of the limit, the same on all instances
 * @param tries how many a visitor and a block have in each period
 * @param periodS whole seconds
 */
export type MakeRateCounters = (
  name: string,
  tries: { readonly visitor: number; readonly block: number },
  periodS: number,
) => RateCounters;
