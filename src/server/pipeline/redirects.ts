import type { IncomingHttpHeaders } from 'node:http';
import { type Locale, languages, localeFor } from '../../i18n/languages.ts';
import { type Address, pathFor, plainlyWritten } from '../../site/addressing/addresses.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import {
  formerHostOf,
  isMoved,
  type PageResponse,
  redirect,
  redirectStatus,
  toPresentHost,
} from '../http/responses/response.ts';
import { readCookies } from '../http/visitor/cookies.ts';
import type { Handle, RouteContext, RouteStep } from './route-context.ts';

/** The present address of a page requested at a former or wrongly prefixed one. */
export function presentPath({ page, locale, redirect }: Address, configuration: SiteConfiguration) {
  const target = configuration.route_redirects.get(page);
  return target === undefined ? redirect : pathFor(configuration, locale, target);
}

/**
 * Redirects former addresses permanently: the `www.` host to the bare one, and the pages of `route_redirects`, each in
 * its language.
 * @param origin the public origin
 */
export function routeRedirect(configuration: SiteConfiguration, origin: string): RouteStep {
  const { route_redirects } = configuration;
  const isFormer = formerHostOf(origin);

  /** In one go to where the page is found now. */
  async function leaveHost(context: RouteContext, next: Handle): Promise<PageResponse> {
    const { path, search, kind, method, address, headers } = context;
    const leave = (target: string) => toPresentHost(status, target, origin, headers);
    const status = redirectStatus(method);
    const present = kind === 'document' ? presentPath(address, configuration) : undefined;
    if (present !== undefined || plainlyWritten(path) === path) return leave((present ?? path) + search);
    const response = await next(context);
    const target = isMoved(response.status) ? response.headers.location : undefined;
    return leave(target ?? path + search);
  }

  return {
    name: 'route-redirect',
    before: (next) => (context) => {
      const { search, host, kind, method, address } = context;
      if (isFormer(host)) return leaveHost(context, next);
      const isRead = method === 'GET' || method === 'HEAD';
      if (kind !== 'document' || !isRead || !route_redirects.has(address.page)) return next(context);
      return redirect(301, (presentPath(address, configuration) ?? '/') + search);
    },
  };
}

/**
 * Redirects old and malformed language prefixes permanently (`/ph/x`, `/en/x`, `/tr/tr/x`, `/DE/x`), and states the
 * page's language in the response. For the browser's router, the page itself handles such addresses.
 */
export function i18n(): RouteStep {
  return {
    name: 'i18n',
    before: (next) => (context) => {
      const { address, kind, method, search } = context;
      if (kind !== 'document') return next(context);
      if (address.redirect !== undefined) return redirect(redirectStatus(method), address.redirect + search);
      context.responseHeaders['content-language'] = languages[address.locale].lang;
      return next(context);
    },
  };
}

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
