import type { StoredItem } from './stored-item.ts';

/** What the visitor has closed, and when. */
export const closedItem = {
  where: 'cookie',
  lifeS: 86_400,
  kind: 'necessary',
} as const satisfies StoredItem;
