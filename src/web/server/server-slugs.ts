/**
 * First segments of the endpoints' addresses: no other page, such as an article, may use one of these slugs. Names with
 * a dot are omitted: no page has one.
 */
export const serverSlugs: ReadonlySet<string> = new Set([
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
