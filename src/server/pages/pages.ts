import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Failure } from '../../downloader/failures.ts';
import type { Locale } from '../../i18n/languages.ts';
import type { ErrorAnswer } from '../../site/api.ts';
import { fromFramework, logFailure, type ShowFailure } from '../errors.ts';
import { preparePage } from '../page-cache/prepared-page.ts';
import type { ServerParts } from '../parts.ts';
import { nobodyLeaves, type PageAnswer, PageExchange } from '../pipeline/exchange.ts';
import { inOrder } from '../pipeline/order.ts';
import { comesFromHere } from '../pipeline/same-site.ts';
import { beSlowToRefuse } from '../rate-limits.ts';
import { refuseMethod } from '../refusals.ts';
import type { Renderings } from '../renderings.ts';
import { countView } from './article-views.ts';
import { type RefusalPage, refusalIn } from './refusals.ts';
import { errorScreen, homeWith } from './screens.ts';
import { sendAnswer } from './send.ts';
import { stepsOf } from './steps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** On its way through the route steps; null for what is no page. */
    exchange: PageExchange | null;
  }
}

/** Much more than the longest message to the operator, so that a field that is too long can be named. */
const maxFormBytes = 256 * 1024;

const pageMethods: readonly string[] = ['GET', 'HEAD', 'POST'];

/** Programs ask below this, and get no pages; the page about it stands at it. */
const isForPrograms = (url: string): boolean =>
  url.startsWith('/api/') && !/^\/api\/(?:_\.data)?(?:\?|$)/.test(url);

/** The route of every page, as the metrics name it. */
export const pagesRoute = '/*';

/** An answer that is nobody's own. */
const noneOwn = { answerHeaders: {}, cookies: [] };

/** As many as there are languages, for some failures. */
const mostFailurePages = 200;

/** The page shows some articles, which change. */
const failurePageLifeMs = 60_000;

/**
 * The home page in the visitor's language, with what went wrong where a result would stand. It is the same for
 * everybody, and kept: whoever tries wrong links has no page made for each.
 */
export function failurePages(refusalPage: RefusalPage, parts: ServerParts): ShowFailure {
  const kept = new LRUCache<string, Promise<PageAnswer>>({ max: mostFailurePages, ttl: failurePageLifeMs });

  function pageFor(failure: ErrorAnswer, locale: Locale, { id, visitor, log }: FastifyRequest) {
    const { key, message } = failure.error;
    const name = `${locale} ${key} ${message}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    // When to try again is said by the answer's header, anew for each visitor.
    const shown = { failure: { ...failure, error: { key, message } }, screen: null };
    const asker = { id, visitor, log, signal: nobodyLeaves };
    const page = homeWith(shown, locale, asker, parts).then(preparePage);
    kept.set(name, page);
    page.catch(() => kept.delete(name));
    return page;
  }

  return async (failure, locale, request, reply) => {
    let page: PageAnswer;
    try {
      page = await pageFor(failure, locale, request);
    } catch (thrown) {
      const refusal = refusalIn(thrown);
      if (refusal === null) throw thrown;
      page = refusalPage(refusal, locale);
    }
    return sendAnswer(page, noneOwn, request, reply);
  };
}

/** Every address that is no endpoint and no file goes the way of the route steps to the React Router application. */
export function pages(
  app: FastifyInstance,
  limits: { renderings: Renderings; refusalPage: RefusalPage },
  parts: ServerParts,
): void {
  const { refusalPage } = limits;
  const { configuration } = parts;
  const way = inOrder(configuration.serving.steps, stepsOf(parts, limits));

  /** @param sent what a form sent, or why it could not be read */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    sent?: Buffer | Failure,
  ): Promise<FastifyReply> {
    const exchange = new PageExchange(request, configuration, sent);
    request.exchange = exchange;
    try {
      const made = await way(exchange);
      countView(exchange, made, configuration, parts.views);
      return await sendAnswer(made, exchange, request, reply);
    } catch (thrown) {
      if (exchange.signal.aborted) return reply.hijack();
      const refusal = refusalIn(thrown);
      if (refusal !== null) {
        await beSlowToRefuse(refusal);
        return sendAnswer(refusalPage(refusal, exchange.address.locale), exchange, request, reply);
      }
      return sendAnswer(await errorScreen(thrown, exchange, parts), noneOwn, request, reply);
    }
  }

  app.decorateRequest('exchange', null);
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxFormBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    // Before anything of a body is read.
    scope.addHook('onRequest', (request, reply, next) => {
      if (isForPrograms(request.url)) return void reply.send(new Failure('address_unknown'));
      if (!pageMethods.includes(request.method)) return void refuseMethod(pageMethods, request, reply);
      if (request.method === 'POST' && !comesFromHere(request.headers))
        return void reply.code(403).type('text/plain').send('403\n');
      next();
    });
    // Who has sent a form sees its page again, with what was wrong.
    scope.setErrorHandler((thrown, request, reply) => {
      const failure = fromFramework(thrown);
      if (request.method !== 'POST' || failure.status >= 500 || isForPrograms(request.url)) throw thrown;
      logFailure(request, failure);
      return answer(request, reply, failure);
    });
    scope.all(pagesRoute, (request, reply) =>
      answer(request, reply, request.body instanceof Buffer ? request.body : undefined),
    );
    done();
  });
  app.setNotFoundHandler((request, reply) => {
    if (isForPrograms(request.url)) return reply.send(new Failure('address_unknown'));
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuseMethod(pageMethods, request, reply);
    return answer(request, reply);
  });
}
