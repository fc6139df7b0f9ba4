import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Locale } from '../../i18n/languages.ts';
import type { ErrorAnswer } from '../../site/api.ts';
import type { ServerParts } from '../parts.ts';
import { comesFromHere } from '../pipeline/same-site.ts';
import { countView } from './article-views.ts';
import type { PageRequest, PageRequests } from './page-requests.ts';
import { errorScreen, homeWith } from './screens.ts';
import { sendAnswer } from './send.ts';

/** Much more than the longest message to the operator, so that a field that is too long can be named. */
const maxFormBytes = 256 * 1024;

const pageMethods: readonly string[] = ['GET', 'HEAD', 'POST'];

/** The route of every page, as the metrics name it. */
export const pagesRoute = '/*';

/** An answer that is nobody's own. */
const noneOwn = { answerHeaders: {}, cookies: [] };

/** The home page in the visitor's language, with what went wrong where a result would stand. */
export async function sendFailurePage(
  failure: ErrorAnswer,
  locale: Locale,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ServerParts,
): Promise<FastifyReply> {
  const { id, visitor, gone: signal, log } = request;
  const page = await homeWith({ failure, screen: null }, locale, { id, visitor, signal, log }, parts);
  return sendAnswer(page, noneOwn, request, reply);
}

/** Every address that is no endpoint and no file goes the way of the route steps to the React Router application. */
export function pages(app: FastifyInstance, requests: PageRequests, parts: ServerParts): void {
  async function answer(
    { exchange, coming }: PageRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    request.exchange = exchange;
    try {
      const made = await coming;
      countView(exchange, made, parts.configuration, parts.views);
      return await sendAnswer(made, exchange, request, reply);
    } catch (thrown) {
      if (exchange.signal.aborted) return reply.hijack();
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
    scope.all(pagesRoute, (request, reply) => {
      if (!pageMethods.includes(request.method))
        return reply.code(405).header('allow', pageMethods.join(', ')).type('text/plain').send('405\n');
      if (request.method === 'POST' && !comesFromHere(request.headers))
        return reply.code(403).type('text/plain').send('403\n');
      const body = request.body instanceof Buffer ? request.body : undefined;
      return answer(requests.of(request.raw, reply.raw, request.id, body), request, reply);
    });
    done();
  });
}
