import type { IncomingHttpHeaders } from 'node:http';
import { type Locale, localeFor } from '../../../i18n/languages.ts';
import { pathFor } from '../../addressing/addresses.ts';
import type { SiteConfiguration } from '../../configuration/configuration.ts';
import { redirect } from '../../http/answers/redirect.ts';
import { readCookies } from '../../http/visitor/cookies.ts';
import type { RouteStep } from '../exchange.ts';

/** The first value of `Accept-Language`, as RFC 9110 section 12.5.4 writes it, unless its weight is 0. */
const firstValue =
  /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=(?:1(?:\.0*)?|0?\.\d*[1-9]\d*)\s*)?(?:,|$)/i;

/** Stays in the default language, as the site wants it, also where a browser names the script (`zh-Hans-CN`). */
const mainlandChina = /^zh(?:-[a-z]{4})?-cn$/;

/**
 * The language to lead a visitor to; null for none. What has no page of its own goes by its primary language: readers of
 * traditional Chinese (`zh-TW`, `zh-HK`) are nearer to the simplified script than to English.
 */
function preferred(acceptLanguage: string | undefined, configured: readonly Locale[]): Locale | null {
  const [, tag = ''] = firstValue.exec((acceptLanguage ?? '').slice(0, 200)) ?? [];
  const lower = tag.toLowerCase();
  if (mainlandChina.test(lower)) return null;
  const locale = localeFor(lower);
  return locale !== undefined && configured.includes(locale) ? locale : null;
}

/** The language that a visitor has chosen in the switcher, else the first that their browser names. */
export function visitorsLocale(
  headers: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
  { locales, defaultLocale }: SiteConfiguration,
): Locale {
  const { lang } = readCookies(headers.cookie);
  const chosen = locales.find((one) => one === lang);
  return chosen ?? preferred(headers['accept-language'], locales) ?? defaultLocale;
}

/**
 * Leads a visitor of `/` to the home page in the language that they have chosen in the switcher, else in the first
 * that their browser names, for this once (302).
 */
export function languageRedirect(configuration: SiteConfiguration): RouteStep {
  return {
    name: 'language-redirect',
    before: (next) => (exchange) => {
      const { path, search, kind, method, headers } = exchange;
      if (path !== '/' || kind !== 'document' || (method !== 'GET' && method !== 'HEAD'))
        return next(exchange);
      exchange.answerHeaders.vary = 'Accept-Language, Cookie';
      const locale = visitorsLocale(headers, configuration);
      if (locale !== configuration.defaultLocale)
        return redirect(302, pathFor(configuration, locale, '') + search);
      return next(exchange);
    },
  };
}
