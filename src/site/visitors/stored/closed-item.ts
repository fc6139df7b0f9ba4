import type { StoredItem } from './stored-item.ts';

/** The elements that the visitor has closed, and when. */
export const closedItem = {
  where: 'cookie',
  lifeS: 86_400,
  kind: 'necessary',
} as const satisfies StoredItem;
