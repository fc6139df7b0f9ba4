/** The purpose of storing an item: necessary, or subject to consent. */
type StoredKind = 'necessary' | 'anonymous' | 'device' | 'statistics' | 'push';

/** An item that the site stores on a visitor's device. */
export interface StoredItem {
  readonly where:
    | 'cookie'
    | 'localStorage'
    | 'sessionStorage'
    | 'cacheStorage'
    | 'indexedDB'
    | 'privateFiles';
  /** Seconds; null for as long as the browser runs (cookies, session storage) or until it is cleared (the rest). */
  readonly lifeS: number | null;
  readonly kind: StoredKind;
}

// Items whose code needs no other item: `stored-items.ts` lists all.

/** The elements that the visitor has closed, and when. */
export const closedItem = {
  where: 'cookie',
  lifeS: 86_400,
  kind: 'necessary',
} as const satisfies StoredItem;

/** The visitor's answer. */
export const consentItem = {
  where: 'cookie',
  lifeS: 180 * 86_400,
  kind: 'necessary',
} as const satisfies StoredItem;

/** A visitor's bucket of each experiment, under the experiment's name; only while it runs. */
export const experimentItem = {
  where: 'cookie',
  lifeS: 30 * 86_400,
  kind: 'anonymous',
} as const satisfies StoredItem;

/** Videos that the browser makes, kept for as long as its own download may take to read one. */
export const madeVideosItem = {
  where: 'privateFiles',
  lifeS: 10 * 60,
  kind: 'device',
} as const satisfies StoredItem;
