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
