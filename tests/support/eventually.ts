import { expect } from 'vitest';

/** Expects something that comes true after a while, on a busy machine too. */
export const eventually = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000 });
