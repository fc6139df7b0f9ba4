import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asFailure, Failure, type FailureKey, type HintKey } from '../../failures/failures.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import { isLocale, type Locale, negotiateLocale } from '../../i18n/languages.ts';
import { DatabaseUnavailable } from '../../stores/contracts/database.ts';
import { PicturesUnavailable } from '../../stores/contracts/picture-files.ts';
import type { ErrorAnswer } from '../api.ts';
import { statuses } from '../http/answers/statuses.ts';
import { isDisconnect } from '../http/disconnect.ts';
import { delayRefusal } from '../http/limits/rate-limits.ts';

/** The language of an answer: `?locale=` when it names one, else `Accept-Language`. */
export function localeOf(request: FastifyRequest): Locale {
  const { locale } = (request.query ?? {}) as { locale?: unknown };
  return typeof locale === 'string' && isLocale(locale)
    ? locale
    : negotiateLocale(request.headers['accept-language']);
}

/** The second sentence of failures that say none of their own. */
const usualHints: Partial<Record<FailureKey, HintKey>> = { link_missing: 'no_link', link_invalid: 'no_link' };

/**
 * The JSON form of a failure, its message in the visitor's language.
 * @param status where it is another than the failure's own
 */
export function errorAnswer(failure: Failure, locale: Locale, status = statuses[failure.key]): ErrorAnswer {
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

/** What Fastify and its plugins refuse, by their status. */
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

/** Seconds after which it makes sense to ask for what a store did not give. */
const storeRetryS = 5;

/**
 * What stands behind something that was thrown when it is no mistake but a refusal for now, with the time after which
 * to ask again; else null.
 */
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
  const facts = { err: failure, key: failure.key };
  if (statuses[failure.key] === 500 || failure.key === 'unavailable')
    request.log.error(facts, 'request failed');
  else request.log.info(facts, 'request refused');
}

/** A browser that follows a link shows what it gets: it wants a page, a program or a script wants JSON. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && url.startsWith('/api/files/') && (headers.accept ?? '').startsWith('text/html');
}

/** As nginx writes it down: the client closed its connection before it had an answer. */
const clientClosedStatus = 499;

/** Shows a failure as a page to the browser that asked for a file. */
export type ShowFailure = (
  answer: ErrorAnswer,
  locale: Locale,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Every error that leaves an endpoint becomes the documented JSON, is logged once, and shows no internals. */
export function answerErrors(app: FastifyInstance, showFailure: ShowFailure): void {
  app.setErrorHandler(async (thrown, request, reply) => {
    // Nobody reads it; the record of requests must not count it as an error.
    if (isDisconnect(thrown)) return reply.code(clientClosedStatus).send();
    const failure = refusalIn(thrown) ?? fromFramework(thrown);
    logFailure(request, failure);
    await delayRefusal(failure);
    if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS));
    const locale = localeOf(request);
    // A refusal that has no key of its own keeps at least its status.
    const status =
      failure.key === 'request_invalid' && failure !== thrown ? statusOf(thrown) : statuses[failure.key];
    const answer = errorAnswer(failure, locale, status);
    if (wantsPage(request)) return showFailure(answer, locale, request, reply);
    return reply
      .code(status)
      .headers({ ...ownHeaders(thrown), 'cache-control': 'no-store', vary: 'Accept, Accept-Language' })
      .send(answer);
  });
}
