/** Random choices, the same for the same seed. */
export interface Dice {
  /** An integer from 0 to below a count. */
  below(count: number): number;
  /** A number from one to below another. */
  between(low: number, high: number): number;
  /** True in this share of all cases, from 0 to 1. */
  chance(share: number): boolean;
  /** @throws when there is nothing to choose from */
  oneOf<T>(values: readonly T[]): T;
}

/** mulberry32: small, and good enough for choices. @param seed an integer */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  };
  const between = (low: number, high: number) => low + ((high - low) * below(2 ** 32)) / 2 ** 32;
  return {
    below,
    between,
    chance: (share) => between(0, 1) < share,
    oneOf(values) {
      if (values.length === 0) throw new Error('nothing to choose from');
      return values[below(values.length)] as (typeof values)[number];
    },
  };
}
