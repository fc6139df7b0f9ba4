import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { parseAddress } from '../addressing/addresses.ts';
import { siteHas } from '../addressing/site-pages.ts';
import { plainText } from '../http/plain-text.ts';
import { shortAgent } from '../http/user-agent.ts';
import { PageExchange } from '../pipeline/exchange.ts';
import { audienceOf, keyOf } from '../pipeline/page-cache/key.ts';
import type { ServerParts } from '../server/parts.ts';
import { type DeveloperState, type FeatureState, siteState } from '../state/site-state.ts';
import { deviceState, type VisitState } from '../state/visit.ts';

const querySchema = z.object({
  path: plainText(500).startsWith('/').default('/'),
  /** Under which the page's document was kept, where it says so. */
  key: plainText(500).optional(),
});

const listLength = 10;

/** What a request says of whoever sends it. */
function visitOf({ host, isSecure, headers }: FastifyRequest, path: string): VisitState {
  const protocol = isSecure ? 'https' : 'http';
  return {
    host,
    protocol,
    url: URL.parse(path, `${protocol}://${host}`)?.href ?? `${protocol}://${host}/`,
    ...deviceState(shortAgent(headers['user-agent'])),
    isWebp: headers.accept?.includes('image/webp') ?? false,
    refererUrl: headers.referer ?? '',
  };
}

/** An article's address, where nothing else of the site stands. */
const isArticle = (page: string) => /^[a-z0-9-]{1,100}$/.test(page);

/**
 * `GET /api/state?path=/de/contact`: the site-wide state of a page as the server makes it of the request, and what else
 * developer mode shows, in its words (`DeveloperState`). Made for each request, and never part of a page.
 */
export function stateEndpoint(
  app: FastifyInstance,
  parts: ServerParts,
  ofFeatures: (locale: Locale) => FeatureState,
): void {
  const { configuration, content, origin, limits, pageCache, site } = parts;
  const { keyFormat } = configuration.serving.pageCache;
  const siteHost = new URL(origin).host;

  app.get('/api/state', async (request, reply) => {
    await limits.lists(request.visitor);
    const { data, error } = querySchema.safeParse(request.query);
    if (data === undefined) throw new Failure('request_invalid', { cause: error, note: '"path" is no path' });
    const visit = visitOf(request, data.path);
    const { pathname } = new URL(visit.url);
    const { locale, page } = parseAddress(pathname, configuration);
    const mayBeArticle = isArticle(page) && !siteHas(configuration, page, locale);
    const [categories, selection, article] = await Promise.all([
      content.categories(locale),
      content.selection({ locale, start: 0, size: listLength }),
      mayBeArticle ? content.article(locale, page) : null,
    ]);
    const dictionary = loadMessages(locale, 'common');
    const { id, ip, headers, host, isSecure, visitor, disconnected, log } = request;
    const asked = {
      id,
      method: 'GET',
      url: data.path,
      headers,
      host,
      ip,
      isSecure,
      visitor,
      disconnected,
      log,
    };
    const exchange = new PageExchange(asked, configuration);
    exchange.audience = audienceOf(exchange, keyFormat, siteHost);
    const key = data.key ?? keyOf(exchange, configuration);
    const state: DeveloperState = {
      ...siteState({
        configuration,
        dictionary,
        categories,
        selection,
        article,
        ofFeatures: ofFeatures(locale),
        visit,
      }),
      pageCache: { key, isKept: key !== null && pageCache.peek(key) !== undefined },
      build: site.version,
      labels: loadMessages(locale, 'developer'),
    };
    return reply.header('cache-control', 'no-store').send({ code: 200, data: state });
  });
}
