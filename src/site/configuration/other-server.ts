import { z } from 'zod';

/** The address of a server to which browsers send instead of this one; without its last slash. */
export const otherServer = z
  .url()
  .regex(/^(?:https:|http:\/\/(?:127\.0\.0\.1|localhost)[:/])/, 'must be an https address')
  .transform((url) => url.replace(/\/$/, ''));
