import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';

const dayS = 86_400;

/** A cookie that visitors may have set for them. */
interface AllowedCookie {
  readonly maxAgeS: number;
  readonly isForScripts: boolean;
  accepts(value: string): boolean;
}

const bucket: AllowedCookie = {
  maxAgeS: 30 * dayS,
  isForScripts: true,
  accepts: (value) => value === 'a' || value === 'b',
};

/** Names of posts or categories, separated by commas, so many at most. */
const names = (most: number) => (value: string) =>
  value.split(',').length <= most && /^[a-z0-9-]{1,100}(?:,[a-z0-9-]{1,100})*$/.test(value);

/**
 * The cookies that `/cookie_set` writes, each with its life and the values it may have. None of them identifies
 * anybody; those that do are set elsewhere, and only for visitors who agreed.
 */
export function allowedCookies(configuration: SiteConfiguration): ReadonlyMap<string, AllowedCookie> {
  return new Map<string, AllowedCookie>([
    [
      'lang',
      {
        maxAgeS: 365 * dayS,
        isForScripts: false,
        accepts: (value) => configuration.locales.some((locale) => locale === value),
      },
    ],
    ['sidebarAB', bucket],
    ['resourceBannerAB', bucket],
    ['category_page', { maxAgeS: dayS, isForScripts: false, accepts: names(30) }],
    ['recent_visits', { maxAgeS: 30 * dayS, isForScripts: true, accepts: names(5) }],
  ]);
}
