import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Locale } from '../../i18n/languages.ts';
import type { ErrorAnswer } from '../../site/api.ts';
import { countsOf } from '../counts.ts';
import { cacheAdministration } from '../page-cache/admin.ts';
import type { ServerParts } from '../parts.ts';
import { abTest } from '../pipeline/ab-test/ab-test.ts';
import { accessLog } from '../pipeline/access-log/access-log.ts';
import { categoryPage } from '../pipeline/category-page/category-page.ts';
import { cookieSet } from '../pipeline/cookie-set/cookie-set.ts';
import type { Handle, PageAnswer, PageExchange, RouteStep } from '../pipeline/exchange.ts';
import { i18n } from '../pipeline/i18n/i18n.ts';
import { injectionStore } from '../pipeline/injection-store/injection-store.ts';
import { languageRedirect } from '../pipeline/language-redirect/language-redirect.ts';
import { inOrder } from '../pipeline/order.ts';
import { pageCache } from '../pipeline/page-cache/page-cache.ts';
import { route } from '../pipeline/route/route.ts';
import { routeRedirect } from '../pipeline/route-redirect/route-redirect.ts';
import { comesFromHere } from '../pipeline/same-site.ts';
import { countView } from './article-views.ts';
import { pageUrlReader } from './page-url.ts';
import { RequestExchange } from './request-exchange.ts';
import { errorScreen, homeWith } from './screens.ts';
import { commonHeaders } from './security-headers.ts';
import { sendAnswer, sendKeptAtOnce } from './send.ts';
import { siteServices } from './site-services.ts';

/** Much more than the longest message to the operator, so that a field that is too long can be named. */
const maxFormBytes = 256 * 1024;

const pageMethods: readonly string[] = ['GET', 'HEAD', 'POST'];

/** The route of every page, as the metrics name it. */
export const pagesRoute = '/*';

/** An answer that is nobody's own. */
const noneOwn = { answerHeaders: {}, cookies: [] };

/** Every step there is. The site configuration's `route_steps` puts them in order. */
function stepsOf(parts: ServerParts): RouteStep[] {
  const { configuration, origin, metrics } = parts;
  const { serving } = configuration;
  const count = countsOf(
    metrics,
    'clipferry_page_cache_total',
    'Requests for pages by how they met the page cache.',
    ['result'],
  );
  return [
    accessLog(serving),
    routeRedirect(configuration, origin),
    i18n(),
    languageRedirect(configuration),
    cookieSet(configuration),
    abTest(Math.random),
    categoryPage(async (locale) => (await parts.content.categories(locale)).map(({ uid }) => uid)),
    pageCache({
      cache: parts.pageCache,
      serving,
      origin,
      forced: parts.pageCacheForced,
      administer: cacheAdministration(parts.cacheAdminSecret, parts.pageCache.operations),
      count,
    }),
    injectionStore((exchange) => siteServices(parts, exchange)),
    route(parts.site, origin, configuration),
  ];
}

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
export function pages(app: FastifyInstance, parts: ServerParts): void {
  const { configuration } = parts;
  const origin = new URL(parts.origin);
  const readUrl = pageUrlReader(configuration);
  const way: Handle = inOrder(configuration.serving.steps, stepsOf(parts));

  const headersOf = commonHeaders(origin);
  const listed = new Map<object, readonly string[]>();
  /** The headers of every answer, as a list. */
  function common(request: FastifyRequest): readonly string[] {
    const headers = headersOf(request);
    const known = listed.get(headers) ?? Object.entries(headers).flat();
    listed.set(headers, known);
    return known;
  }

  async function finish(
    coming: Promise<PageAnswer> | PageAnswer,
    exchange: PageExchange,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    try {
      const made = await coming;
      countView(exchange, made, configuration, parts.views);
      return await sendAnswer(made, exchange, request, reply);
    } catch (thrown) {
      if (request.gone.aborted) return reply.hijack();
      return sendAnswer(await errorScreen(thrown, exchange, parts), noneOwn, request, reply);
    }
  }

  function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined {
    const exchange = new RequestExchange(request, readUrl(request.raw.url ?? '/'), origin);
    request.exchange = exchange;
    let coming: ReturnType<Handle>;
    try {
      coming = way(exchange);
    } catch (thrown) {
      coming = Promise.reject(thrown);
    }
    if (!(coming instanceof Promise) && sendKeptAtOnce(coming, exchange, request, reply, common(request))) {
      countView(exchange, coming, configuration, parts.views);
      return;
    }
    return finish(coming, exchange, request, reply);
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
      return answer(request, reply);
    });
    done();
  });
}
