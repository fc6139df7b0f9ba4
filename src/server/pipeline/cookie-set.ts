import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { type Experiment, isDue } from '../../site/visitors/experiment.ts';
import { experimentItem } from '../../site/visitors/stored/stored-item.ts';
import { storedItems } from '../../site/visitors/stored/stored-items.ts';
import { type PageResponse, redirect, shortResponse, sitePath } from '../http/responses/response.ts';
import { writeCookie } from '../http/visitor/cookies.ts';
import { isSameOrigin } from '../http/visitor/fetch-metadata.ts';
import type { RouteContext, RouteStep } from './route-context.ts';

/** A cookie that visitors may have set for them. */
interface AllowedCookie {
  readonly maxAgeS: number;
  readonly isForScripts: boolean;
  accepts(value: string): boolean;
}

/** The variant of an experiment, while it runs. */
const bucket = (experiment: Experiment): AllowedCookie => ({
  maxAgeS: experimentItem.lifeS,
  isForScripts: true,
  accepts: (value) => isDue(experiment, Date.now()) && experiment.variants.some(({ name }) => name === value),
});

/** Names of posts or categories, separated by commas, so many at most. */
const names = (most: number) => (value: string) =>
  value.split(',').length <= most && /^[a-z0-9-]{1,100}(?:,[a-z0-9-]{1,100})*$/.test(value);

/**
 * The cookies that `/cookie_set` writes, each with its lifetime and allowed values. None of them identifies a visitor;
 * identifying cookies are set elsewhere, and only with consent.
 */
function allowedCookies(configuration: SiteConfiguration): ReadonlyMap<string, AllowedCookie> {
  return new Map<string, AllowedCookie>([
    [
      'lang',
      {
        maxAgeS: storedItems.lang.lifeS,
        isForScripts: false,
        accepts: (value) => configuration.locales.some((locale) => locale === value),
      },
    ],
    ...configuration.experiments.map((one) => [one.name, bucket(one)] as const),
    ['category_page', { maxAgeS: storedItems.category_page.lifeS, isForScripts: false, accepts: names(30) }],
  ]);
}

const methods: readonly string[] = ['GET', 'HEAD', 'POST'];

/** The form's fields, or those of the address. */
function fields({ method, search, body }: RouteContext): URLSearchParams {
  return new URLSearchParams(method === 'POST' ? body?.toString('utf8') : search);
}

/**
 * Handles `/cookie_set`: `name` and `value` of a listed cookie, and optionally `to`, a path of this site to redirect to
 * (303). Works as a link and as a form, without scripts.
 */
export function cookieSet(configuration: SiteConfiguration): RouteStep {
  const allowed = allowedCookies(configuration);

  function answer(context: RouteContext): PageResponse {
    const { method, headers, isSecure, cookies } = context;
    if (!methods.includes(method)) return shortResponse(405, '', { allow: methods.join(', ') });
    // Other sites may neither choose for a visitor nor have this link prefetched.
    if (!isSameOrigin(headers)) return shortResponse(403, '403\n');
    const form = fields(context);
    const name = form.get('name') ?? '';
    const value = form.get('value') ?? '';
    const cookie = allowed.get(name);
    if (cookie === undefined || !cookie.accepts(value)) return shortResponse(400, '400\n');
    const to = form.get('to');
    const target = to === null ? null : sitePath(to);
    if (to !== null && target === null) return shortResponse(400, '400\n');
    // A prefetch is no choice.
    const isAhead =
      method === 'HEAD' || /\bprefetch\b/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''));
    if (!isAhead) cookies.push(writeCookie({ name, value, ...cookie }, isSecure));
    return target === null ? shortResponse(204) : redirect(303, target);
  }

  return {
    name: 'cookie-set',
    before: (next) => (context) => (context.path === '/cookie_set' ? answer(context) : next(context)),
  };
}
