import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { redirect, sitePath } from '../../http/responses/redirect.ts';
import { type PageResponse, shortResponse } from '../../http/responses/response.ts';
import { writeCookie } from '../../http/visitor/cookies.ts';
import { isSameOrigin } from '../../http/visitor/same-site.ts';
import type { RouteContext, RouteStep } from '../route-context.ts';
import { allowedCookies } from './allowed.ts';

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
