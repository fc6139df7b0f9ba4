import type { StoredItem } from './stored-item.ts';

/** A visitor's bucket of each experiment, under the experiment's name; only while it runs. */
export const experimentItem = {
  where: 'cookie',
  lifeS: 30 * 86_400,
  kind: 'anonymous',
} as const satisfies StoredItem;
