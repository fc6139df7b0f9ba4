import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../downloader/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { fromFramework, logFailure, refusalIn } from '../errors.ts';
import { beSlowToRefuse } from '../http/rate-limits.ts';
import { comesFromHere } from '../http/same-site.ts';
import { noneOwn, sendAnswer } from '../http/send.ts';
import type { ServerParts } from '../parts.ts';
import { refuseMethod } from '../refusals.ts';
import type { RefusalPage } from '../rendering/refusal-pages.ts';
import type { Renderings } from '../rendering/renderings.ts';
import { errorScreen } from '../rendering/screens.ts';
import { countView } from './article-views.ts';
import { PageExchange } from './exchange.ts';
import { inOrder, UnknownStep } from './order.ts';
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

/** The text of the error screen for what a step has thrown. */
function messageFor(thrown: unknown, locale: Locale): string {
  const t = createTranslate<'common'>(locale, loadMessages(locale, 'common'));
  return thrown instanceof UnknownStep
    ? t('error.unknown-step', { name: thrown.step })
    : t('error.server.text');
}

/** Every address that is no endpoint and no file goes the way of the route steps to the React Router application. */
export function pages(
  app: FastifyInstance,
  limits: { renderings: Renderings; refusalPage: RefusalPage },
  parts: ServerParts,
): void {
  const { refusalPage } = limits;
  const { configuration } = parts;
  const steps = stepsOf(parts, limits);
  const handle = inOrder(configuration.serving.steps ?? steps.map(({ name }) => name), steps);

  /** @param sent what a form sent, or why it could not be read */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    sent?: Buffer | Failure,
  ): Promise<FastifyReply> {
    const exchange = new PageExchange(request, configuration, sent);
    request.exchange = exchange;
    try {
      const made = await handle(exchange);
      countView(exchange, made, configuration, parts.views);
      return await sendAnswer(made, exchange, request, reply);
    } catch (thrown) {
      if (exchange.signal.aborted) return reply.hijack();
      const refusal = refusalIn(thrown);
      if (refusal !== null) {
        await beSlowToRefuse(refusal);
        return sendAnswer(refusalPage(refusal, exchange.address.locale), exchange, request, reply);
      }
      const { locale } = exchange.address;
      const screen = await errorScreen(
        thrown,
        (spoken) => messageFor(thrown, spoken),
        locale,
        exchange,
        parts,
      );
      return sendAnswer(screen, noneOwn, request, reply);
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
