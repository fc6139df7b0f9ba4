import { z } from 'zod';

/** A platform's name. It prefixes ids in tickets, keys and metrics, and contains none of their separators. */
export const platformName = z.string().regex(/^[a-z][a-z0-9]{0,15}$/);

/** A post's id, opaque to everything but its platform. Capitals count. */
export const postId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
