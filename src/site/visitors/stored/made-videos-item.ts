import type { StoredItem } from './stored-item.ts';

/** Videos that the browser makes, kept for as long as its own download may take to read one. */
export const madeVideosItem = {
  where: 'privateFiles',
  lifeS: 10 * 60,
  kind: 'device',
} as const satisfies StoredItem;
