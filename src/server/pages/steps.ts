import { Counter } from 'prom-client';
import { Failure } from '../../downloader/failures.ts';
import { errorAnswer } from '../errors.ts';
import { cacheAdministration } from '../page-cache/admin.ts';
import type { ServerParts } from '../parts.ts';
import { abTest } from '../pipeline/ab-test/ab-test.ts';
import { accessLog } from '../pipeline/access-log/access-log.ts';
import { categoryPage } from '../pipeline/category-page/category-page.ts';
import { cookieSet } from '../pipeline/cookie-set/cookie-set.ts';
import type { RouteStep } from '../pipeline/exchange.ts';
import { i18n } from '../pipeline/i18n/i18n.ts';
import { injectionStore } from '../pipeline/injection-store/injection-store.ts';
import { languageRedirect } from '../pipeline/language-redirect/language-redirect.ts';
import { pageCache } from '../pipeline/page-cache/page-cache.ts';
import { createUnknownPages } from '../pipeline/page-cache/unknown-pages.ts';
import { route } from '../pipeline/route/route.ts';
import { routeRedirect } from '../pipeline/route-redirect/route-redirect.ts';
import type { Renderings } from '../renderings.ts';
import type { RefusalPage } from './refusals.ts';
import { siteServices } from './site-services.ts';

const overloaded = new Failure('overloaded', { retryAfterS: 2 });

/** Every step there is. The site configuration's `route_steps` puts them in order. */
export function stepsOf(
  parts: ServerParts,
  { renderings, refusalPage }: { renderings: Renderings; refusalPage: RefusalPage },
): RouteStep[] {
  const { configuration, content, origin, metrics } = parts;
  const { serving } = configuration;
  const met = new Counter({
    name: 'clipferry_page_cache_total',
    help: 'Requests for pages by how they met the page cache.',
    labelNames: ['result'],
    registers: [metrics],
  });
  return [
    accessLog(serving),
    routeRedirect(configuration, origin),
    i18n(),
    languageRedirect(configuration),
    cookieSet(configuration),
    abTest(Math.random),
    categoryPage(async (locale) => (await content.categories(locale)).map(({ uid }) => uid)),
    pageCache({
      cache: parts.pageCache,
      configuration,
      origin,
      forced: parts.pageCacheForced,
      administer: cacheAdministration(parts.cacheAdminSecret, parts.pageCache.operations),
      count: (result) => met.inc({ result }),
      limit: parts.limits.unkept,
      unknownPages: createUnknownPages({ configuration, content, lifeS: serving.pageCache.expireS }),
      refuse: (locale) => (renderings.isFull ? refusalPage(overloaded, locale) : null),
    }),
    injectionStore((exchange) => {
      const { refusal, address } = exchange;
      const failure = refusal === null ? null : errorAnswer(refusal, address.locale);
      return siteServices(parts, exchange, { failure, screen: null });
    }),
    route(parts.site, origin, configuration),
  ];
}
