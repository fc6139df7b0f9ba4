import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { parseAddress } from '../../site/addressing/addresses.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';
import { deviceState, siteState, type VisitState } from '../../site/state/site-state.ts';
import { plainText } from '../http/plain-text.ts';
import { mayBeSlug } from '../http/request-url.ts';
import { shortAgent } from '../http/visitor/user-agent.ts';
import type { ServerDependencies } from '../instance/parts.ts';

const querySchema = z.object({
  path: plainText(500).startsWith('/').default('/'),
});

const listLength = 10;

/** The facts that a request states about its sender. */
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

/**
 * `GET /api/state?path=/de/contact`: the site-wide state of a page, for developer mode. It is built for each request
 * and never part of a page.
 */
export function stateEndpoint(
  app: FastifyInstance,
  parts: ServerDependencies,
  ofFeatures: (locale: Locale) => Readonly<Record<string, unknown>>,
): void {
  const { configuration, content, limits } = parts;

  app.get('/api/state', async (request, reply) => {
    await limits.lists(request.visitor);
    const { data, error } = querySchema.safeParse(request.query);
    if (data === undefined) throw new Failure('request_invalid', { cause: error, note: '"path" is no path' });
    const visit = visitOf(request, data.path);
    const { pathname } = new URL(visit.url);
    const { locale, page } = parseAddress(pathname, configuration);
    const mayBeArticle = mayBeSlug(page) && !siteHas(configuration, page, locale);
    const [categories, selection, article] = await Promise.all([
      content.categories(locale),
      content.selection({ locale, start: 0, size: listLength }),
      mayBeArticle ? content.article(locale, page) : null,
    ]);
    const dictionary = loadMessages(locale, 'common');
    const state = siteState({
      configuration,
      dictionary,
      categories,
      selection,
      article,
      ofFeatures: ofFeatures(locale),
      visit,
    });
    return reply.header('cache-control', 'no-store').send({ code: 200, data: state });
  });
}
