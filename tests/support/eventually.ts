import { expect } from 'vitest';

/**
 * Expects a condition that becomes true after a while, also on a busy machine.
 * @param intervalMs between two looks; longer where a look costs the product much
 */
export const eventually = <T>(look: () => T | Promise<T>, intervalMs = 50) =>
  expect.poll(look, { timeout: 15_000, interval: intervalMs });
