/**
 * The platforms as pages and forms know them, in the browser too. The downloader's tables define links;
 * `src/app/parts/downloader/platforms.test.ts` keeps both lists equal.
 */

/** Values of `media` in the site's configuration; the first is the default. */
export const platformNames = ['tiktok'] as const;

/** Domains of posts that can be downloaded here. */
export const platformDomains: readonly string[] = [
  ...['tiktok.com', 'tiktokv.com', 'tiktokv.eu', 'tiktokv.us', 'tiktokw.com', 'tiktokw.eu', 'tiktokw.us'],
];

/** Domains without downloads here whose links reveal as much about a visitor. */
export const relatedDomains: readonly string[] = ['douyin.com'];

/** Any of some domains, for a regular expression. */
export const anyOf = (domains: readonly string[]): string =>
  domains.map((domain) => domain.replaceAll('.', '\\.')).join('|');

/** Finds a platform's link in a text, also where another link holds it, precise enough for a form. */
export const platformLink: RegExp = new RegExp(
  `(?:^|[^a-z0-9-]|%2f)(?:[a-z0-9-]+\\.){0,3}(?:${anyOf(platformDomains)})(?:/|%(?:25)?2f)\\S|(?:^|[^a-z0-9-]|%(?:25)?2f)(?:snssdk1\\d{3}|tiktok|musically)(?:://|%(?:25)?3a)`,
  'i',
);
