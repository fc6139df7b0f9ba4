/**
 * The platforms as far as pages and forms know them: in the browser, too. What a link is, the tables of the downloader
 * know; `src/app/parts/downloader/platforms.test.ts` holds both lists together.
 */

/** What `media` in the site's configuration may be; the first is the default. */
export const platformNames = ['tiktok'] as const;

/** Domains of posts that can be had here. */
export const platformDomains: readonly string[] = ['tiktok.com', 'tiktokv.com'];

/** Domains that say as much of a visitor, though nothing of them can be had here. */
export const relatedDomains: readonly string[] = ['douyin.com'];

/** Any of some domains, for a regular expression. */
export const anyOf = (domains: readonly string[]): string =>
  domains.map((domain) => domain.replaceAll('.', '\\.')).join('|');

/** A link to a platform somewhere in a text, as far as a form can tell. */
export const platformLink: RegExp = new RegExp(
  `(?:^|[^a-z0-9-])(?:[a-z0-9-]+\\.){0,3}(?:${anyOf(platformDomains)})/\\S`,
  'i',
);
