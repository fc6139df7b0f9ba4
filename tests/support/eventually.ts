import { expect } from 'vitest';

/** Expects a condition that becomes true after a while, also on a busy machine. */
export const eventually = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000 });
