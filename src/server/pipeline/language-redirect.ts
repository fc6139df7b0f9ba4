import type { IncomingHttpHeaders } from 'node:http';
import { type Locale, localeFor } from '../../i18n/languages.ts';
import { pathFor } from '../../site/addressing/addresses.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { redirect } from '../http/responses/redirect.ts';
import { readCookies } from '../http/visitor/cookies.ts';
import type { RouteStep } from './route-context.ts';

/** The first value of `Accept-Language`, as RFC 9110 section 12.5.4 writes it, unless its weight is 0. */
const firstValue =
  /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=(?:1(?:\.0*)?|0?\.\d*[1-9]\d*)\s*)?(?:,|$)/i;

/** Keeps the default language, as the site requires, even if a browser names the script (`zh-Hans-CN`). */
const mainlandChina = /^zh(?:-[a-z]{4})?-cn$/;

/**
 * The language to redirect a visitor to; null for none. A variant without its own page falls back to its primary
 * language: readers of traditional Chinese (`zh-TW`, `zh-HK`) prefer the simplified script to English.
 */
function preferred(acceptLanguage: string | undefined, configured: readonly Locale[]): Locale | null {
  const [, tag = ''] = firstValue.exec((acceptLanguage ?? '').slice(0, 200)) ?? [];
  const lower = tag.toLowerCase();
  if (mainlandChina.test(lower)) return null;
  const locale = localeFor(lower);
  return locale !== undefined && configured.includes(locale) ? locale : null;
}

/** The language that a visitor has chosen in the switcher, else the browser's first. */
export function visitorsLocale(
  headers: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
  { locales, default_locale }: SiteConfiguration,
): Locale {
  const { lang } = readCookies(headers.cookie);
  const chosen = locales.find((one) => one === lang);
  return chosen ?? preferred(headers['accept-language'], locales) ?? default_locale;
}

/**
 * Redirects a visitor of `/` temporarily (302) to the home page in the language chosen in the switcher, else in the
 * browser's first.
 */
export function languageRedirect(configuration: SiteConfiguration): RouteStep {
  return {
    name: 'language-redirect',
    before: (next) => (context) => {
      const { path, search, kind, method, headers } = context;
      if (path !== '/' || kind !== 'document' || (method !== 'GET' && method !== 'HEAD'))
        return next(context);
      context.responseHeaders.vary = 'Accept-Language, Cookie';
      const locale = visitorsLocale(headers, configuration);
      if (locale !== configuration.default_locale)
        return redirect(302, pathFor(configuration, locale, '') + search);
      return next(context);
    },
  };
}
