import type { SiteConfiguration } from '../../configuration/configuration.ts';
import { type PageAnswer, shortAnswer } from '../../http/answers/answer.ts';
import { redirect, sitePath } from '../../http/answers/redirect.ts';
import { writeCookie } from '../../http/visitor/cookies.ts';
import { isSameOrigin } from '../../http/visitor/same-site.ts';
import type { PageExchange, RouteStep } from '../exchange.ts';
import { allowedCookies } from './allowed.ts';

const methods: readonly string[] = ['GET', 'HEAD', 'POST'];

/** What was sent: the form's fields, or those of the address. */
function fields({ method, search, body }: PageExchange): URLSearchParams {
  return new URLSearchParams(method === 'POST' ? body?.toString('utf8') : search);
}

/**
 * Answers `/cookie_set`: `name` and `value` of a cookie on the list, and optionally `to`, a path of this site that is
 * shown next (303). Works as a link and as a form, without scripts.
 */
export function cookieSet(configuration: SiteConfiguration): RouteStep {
  const allowed = allowedCookies(configuration);

  function answer(exchange: PageExchange): PageAnswer {
    const { method, headers, isSecure, cookies } = exchange;
    if (!methods.includes(method)) return shortAnswer(405, '', { allow: methods.join(', ') });
    // Other sites may neither choose for a visitor nor have a link to here fetched beforehand.
    if (!isSameOrigin(headers)) return shortAnswer(403, '403\n');
    const form = fields(exchange);
    const name = form.get('name') ?? '';
    const value = form.get('value') ?? '';
    const cookie = allowed.get(name);
    if (cookie === undefined || !cookie.accepts(value)) return shortAnswer(400, '400\n');
    const to = form.get('to');
    const target = to === null ? null : sitePath(to);
    if (to !== null && target === null) return shortAnswer(400, '400\n');
    // Who only looks has chosen nothing yet.
    const isAhead =
      method === 'HEAD' || /\bprefetch\b/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''));
    if (!isAhead) cookies.push(writeCookie({ name, value, ...cookie }, isSecure));
    return target === null ? shortAnswer(204) : redirect(303, target);
  }

  return {
    name: 'cookie-set',
    before: (next) => (exchange) => (exchange.path === '/cookie_set' ? answer(exchange) : next(exchange)),
  };
}
