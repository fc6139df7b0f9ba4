import { statisticsItems } from './statistics-items.ts';
import { closedItem, consentItem, madeVideosItem, type StoredItem } from './stored-item.ts';

const daySeconds = 86_400;

/**
 * Everything that is ever stored on a visitor's device, by name. Code that stores items takes names and lifetimes from
 * here; the cookie policy's table and docs/privacy.md are generated from it, and a browser test finds no other item.
 */
export const storedItems = {
  lang: { where: 'cookie', lifeS: 365 * daySeconds, kind: 'necessary' },
  consent: consentItem,
  category_page: { where: 'cookie', lifeS: daySeconds, kind: 'necessary' },
  popup_date: closedItem,
  'file-names': { where: 'cookie', lifeS: 365 * daySeconds, kind: 'necessary' },
  ...statisticsItems,
  'first-referrer': { where: 'sessionStorage', lifeS: null, kind: 'statistics' },
  online_user: { where: 'cookie', lifeS: 30 * daySeconds, kind: 'push' },
  theme: { where: 'localStorage', lifeS: null, kind: 'device' },
  'recent-links': { where: 'localStorage', lifeS: null, kind: 'device' },
  'many-posts': { where: 'indexedDB', lifeS: null, kind: 'device' },
  'made-videos': madeVideosItem,
  'one-tap': { where: 'localStorage', lifeS: null, kind: 'device' },
  'developer-mode': { where: 'localStorage', lifeS: null, kind: 'device' },
  recent_visits: { where: 'localStorage', lifeS: null, kind: 'device' },
  'assets-*': { where: 'cacheStorage', lifeS: null, kind: 'device' },
  'pages-*': { where: 'cacheStorage', lifeS: null, kind: 'device' },
  'loaded-whole': { where: 'sessionStorage', lifeS: null, kind: 'device' },
  'interrupted-change': { where: 'sessionStorage', lifeS: null, kind: 'device' },
  'react-router-scroll-positions': { where: 'sessionStorage', lifeS: null, kind: 'device' },
} as const satisfies Readonly<Record<string, StoredItem>>;
