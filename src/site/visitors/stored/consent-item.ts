import type { StoredItem } from './stored-item.ts';

/** The visitor's answer. */
export const consentItem = {
  where: 'cookie',
  lifeS: 180 * 86_400,
  kind: 'necessary',
} as const satisfies StoredItem;
