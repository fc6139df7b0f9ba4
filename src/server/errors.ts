import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asFailure, Failure } from '../downloader/failures.ts';
import { loadMessages } from '../i18n/catalogue.ts';
import { isLocale, type Locale, negotiateLocale } from '../i18n/languages.ts';
import { createTranslate } from '../i18n/translate.ts';
import type { ErrorAnswer } from '../site/api.ts';

/** The language of an answer: `?locale=` when it names one, else `Accept-Language`. */
export function localeOf(request: FastifyRequest): Locale {
  const { locale } = (request.query ?? {}) as { locale?: unknown };
  return typeof locale === 'string' && isLocale(locale)
    ? locale
    : negotiateLocale(request.headers['accept-language']);
}

/** The JSON form of a failure, its message in the visitor's language. */
export function errorAnswer(failure: Failure, locale: Locale): ErrorAnswer {
  const translate = createTranslate<'errors'>(locale, loadMessages(locale, 'errors'));
  const { key, status, retryAfterS, hint } = failure;
  const error = {
    key,
    message: translate(key),
    ...(hint !== undefined && { hint: translate(`hint.${hint}`) }),
    ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }),
  };
  return { code: status, error };
}

/** Fastify's own refusals of a request, as ours. */
function fromFramework(thrown: unknown): Failure {
  const { code, statusCode } = thrown as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Failure('request_too_large', { cause: thrown });
  const isRefusal = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return asFailure(thrown, isRefusal ? 'request_invalid' : 'internal');
}

function log(request: FastifyRequest, failure: Failure): void {
  const facts = { err: failure, key: failure.key };
  if (failure.status === 500) request.log.error(facts, 'request failed');
  else request.log.info(facts, 'request refused');
}

/** A browser that follows a link shows what it gets: it wants a page, a program or a script wants JSON. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && url.startsWith('/api/files/') && (headers.accept ?? '').startsWith('text/html');
}

/** Shows a failure as a page to the browser that asked for a file. */
export type ShowFailure = (
  answer: ErrorAnswer,
  locale: Locale,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Every error that leaves an endpoint becomes the documented JSON, is logged once, and shows no internals. */
export function answerErrors(app: FastifyInstance, showFailure: ShowFailure): void {
  app.setErrorHandler((thrown, request, reply) => {
    const failure = fromFramework(thrown);
    log(request, failure);
    if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS));
    const locale = localeOf(request);
    const answer = errorAnswer(failure, locale);
    if (wantsPage(request)) return showFailure(answer, locale, request, reply);
    return reply
      .code(failure.status)
      .headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language' })
      .send(answer);
  });
}
