/** What keeping something is for: what needs no consent, and what waits for it. */
type StoredKind = 'necessary' | 'anonymous' | 'device' | 'statistics' | 'push';

/** Something that the site keeps on a visitor's device. */
export interface StoredItem {
  readonly where: 'cookie' | 'localStorage' | 'sessionStorage' | 'cacheStorage' | 'indexedDB';
  /** Seconds; null for as long as the browser runs (cookies, session storage) or until it is cleared (the rest). */
  readonly lifeS: number | null;
  readonly kind: StoredKind;
}
