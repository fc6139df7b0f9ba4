/**
 * What the addresses of endpoints begin with: nothing else of the site, an article for one, can have an address of one
 * of these names. Names with a dot are left out: no page has one.
 */
export const serverNames: ReadonlySet<string> = new Set([
  'api',
  'category',
  'consent',
  'healthz',
  'metrics',
  'operator',
  'pictures',
  'readyz',
  'share',
  'stars',
]);
