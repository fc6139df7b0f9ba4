import { z } from 'zod';

/** Random names of visitors, visits and days that browsers carry: our own, and those of an earlier server. */
export const randomName = z
  .string()
  .max(64)
  .regex(/^[\w.-]{8,}$/, 'is not written as it should be');
