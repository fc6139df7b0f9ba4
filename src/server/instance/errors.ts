import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asFailure, Failure, type FailureKey, type HintKey } from '../../failures/failures.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import { isLocale, type Locale, negotiateLocale } from '../../i18n/languages.ts';
import type { ErrorResponse } from '../../site/api.ts';
import { DatabaseUnavailable } from '../../stores/contracts/database.ts';
import { PicturesUnavailable } from '../../stores/contracts/picture-files.ts';
import { isDisconnect } from '../http/disconnect.ts';
import { delayRefusal } from '../http/limits/visitor-limits.ts';
import { statuses } from '../http/responses/statuses.ts';

/** The language of a response: a valid `?locale=`, else `Accept-Language`. */
export function localeOf(request: FastifyRequest): Locale {
  const { locale } = (request.query ?? {}) as { locale?: unknown };
  return typeof locale === 'string' && isLocale(locale)
    ? locale
    : negotiateLocale(request.headers['accept-language']);
}

/** The default hints of failures without their own. */
const usualHints: Partial<Record<FailureKey, HintKey>> = { link_missing: 'no_link', link_invalid: 'no_link' };

/**
 * The JSON form of a failure, with its message in the visitor's language.
 * @param status if it differs from the failure's own
 */
export function errorResponse(
  failure: Failure,
  locale: Locale,
  status = statuses[failure.key],
): ErrorResponse {
  const translate = translateTo(locale, 'errors');
  const { key, retryAfterS, link, otherLink } = failure;
  const hint = failure.hint ?? usualHints[key];
  const error = {
    key,
    message: translate(key),
    ...(hint !== undefined && { hint: translate(`hint.${hint}`) }),
    ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }),
    ...(link !== undefined && { link }),
    ...(otherLink !== undefined && { other_link: otherLink }),
  };
  return { code: status, error };
}

/** Failures for the refusals of Fastify and its plugins, by status. */
const refusals: Readonly<Record<number, FailureKey>> = {
  404: 'address_unknown',
  405: 'method_not_allowed',
  413: 'request_too_large',
  415: 'media_type_unsupported',
  416: 'range_unsatisfiable',
};

const statusOf = (thrown: unknown) => Number((thrown as { statusCode?: unknown } | null)?.statusCode ?? 500);

/** Fastify's own refusals of a request, as ours. */
export function fromFramework(thrown: unknown): Failure {
  const status = statusOf(thrown);
  const isRefusal = status >= 400 && status < 500;
  return asFailure(thrown, isRefusal ? (refusals[status] ?? 'request_invalid') : 'internal');
}

/** Seconds after which a retry of an unreachable store makes sense. */
const storeRetryS = 5;

/** The temporary refusal behind a thrown value, with its retry time; null when it is an error. */
export function refusalIn(thrown: unknown): Failure | null {
  if (thrown instanceof DatabaseUnavailable || thrown instanceof PicturesUnavailable)
    return new Failure('unavailable', { cause: thrown, retryAfterS: storeRetryS });
  if (thrown instanceof Failure && thrown.retryAfterS !== undefined) return thrown;
  return thrown instanceof Error && thrown.cause !== undefined ? refusalIn(thrown.cause) : null;
}

/** Headers that belong to a refusal, as `Content-Range` to one of a range. */
function ownHeaders(thrown: unknown): Record<string, string> {
  const { headers } = thrown as { headers?: Record<string, string> };
  return thrown instanceof Failure ? {} : { ...headers };
}

/** Writes down why a request was not answered as it was meant. */
export function logFailure(request: FastifyRequest, failure: Failure): void {
  request.failure = failure;
  const facts = { err: failure, key: failure.key };
  if (statuses[failure.key] === 500 || failure.key === 'unavailable')
    request.log.error(facts, 'request failed');
  // The line of the request has the key and what caused it.
  else request.log.debug(facts, 'request refused');
}

/** A browser that follows a link shows the response and needs a page; programs and scripts need JSON. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && url.startsWith('/api/files/') && (headers.accept ?? '').startsWith('text/html');
}

/** nginx's status for a client that closed its connection before the response. */
const clientClosedStatus = 499;

/** Shows a failure as a page to a browser that requested a file. */
export type ShowFailure = (
  response: ErrorResponse,
  locale: Locale,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Every error that leaves an endpoint becomes the documented JSON, is logged once, and shows no internals. */
export function handleErrors(app: FastifyInstance, showFailure: ShowFailure): void {
  app.setErrorHandler(async (thrown, request, reply) => {
    // Nobody reads it; the request metrics must not count it as an error.
    if (isDisconnect(thrown)) return reply.code(clientClosedStatus).send();
    const failure = refusalIn(thrown) ?? fromFramework(thrown);
    logFailure(request, failure);
    await delayRefusal(failure);
    if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS));
    const locale = localeOf(request);
    // A refusal without a key of its own keeps at least its status.
    const status =
      failure.key === 'request_invalid' && failure !== thrown ? statusOf(thrown) : statuses[failure.key];
    const response = errorResponse(failure, locale, status);
    if (wantsPage(request)) return showFailure(response, locale, request, reply);
    return reply
      .code(status)
      .headers({ ...ownHeaders(thrown), 'cache-control': 'no-store', vary: 'Accept, Accept-Language' })
      .send(response);
  });
}
