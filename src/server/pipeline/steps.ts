import { Counter } from 'prom-client';
import { refuseStandIn } from '../../content/stand-in.ts';
import { Failure } from '../../failures/failures.ts';
import type { ConsentMode } from '../../site/consent/consent-cookie.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import { hasReader } from '../http/visitor/fetch-metadata.ts';
import { errorResponse } from '../instance/errors.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import type { RefusalPage } from '../rendering/bare-pages.ts';
import type { RenderQueue } from '../rendering/render-queue.ts';
import { siteServices } from '../rendering/site-services.ts';
import { categoryPage } from './category-page.ts';
import { cookieSet } from './cookie-set.ts';
import { cacheAdministration } from './page-cache/admin.ts';
import { pageCache } from './page-cache/page-cache.ts';
import { createUnknownPages } from './page-cache/unknown-pages.ts';
import { i18n, languageRedirect, routeRedirect } from './redirects.ts';
import { route } from './route.ts';
import type { RouteContext, RouteStep } from './route-context.ts';

/** Puts the server's services for loaders into the page's load context. */
export function injectionStore(servicesFor: (context: RouteContext) => SiteServices): RouteStep {
  return {
    name: 'injection-store',
    before: (next) => (context) => {
      context.services = servicesFor(context);
      return next(context);
    },
  };
}

/**
 * Logs one line for each page request when its response was sent. The line contains no query, and a raw network address
 * only with implied consent.
 */
export function accessLog({ consent }: { consent: ConsentMode }): RouteStep {
  return {
    name: 'access-log',
    before: (next) => (context) => {
      context.facts = consent === 'implied' ? { address: context.networkAddress } : {};
      return next(context);
    },
  };
}

const overloaded = new Failure('overloaded', { retryAfterS: 2, note: 'too many requests for pages' });

/** A step of a feature. */
export interface PlacedStep {
  /** The step before which it comes in the default order. */
  readonly before: string;
  readonly step: RouteStep;
}

/** The steps' dependencies besides the server's parts. */
export interface StepParts {
  readonly renderQueue: RenderQueue;
  readonly refusalPage: RefusalPage;
  /** The features' own. */
  readonly ofFeatures: readonly PlacedStep[];
}

/** All steps in the default order; the site configuration's `route_steps` may name another. */
export function stepsOf(parts: ServerDependencies, options: StepParts): RouteStep[] {
  const placed = (name: string) =>
    options.ofFeatures.filter(({ before }) => before === name).map(({ step }) => step);
  return ownSteps(parts, options).flatMap((step) => [...placed(step.name), step]);
}

function ownSteps(parts: ServerDependencies, { renderQueue, refusalPage }: StepParts): RouteStep[] {
  const { configuration, content, origin, metrics } = parts;
  const met = new Counter({
    name: 'clipferry_page_cache_total',
    help: 'Requests for pages by how they met the page cache.',
    labelNames: ['result'],
    registers: [metrics],
  });
  return [
    accessLog(configuration),
    routeRedirect(configuration, origin),
    i18n(),
    languageRedirect(configuration),
    cookieSet(configuration),
    categoryPage(async (locale) => {
      const categories = await content.categories(locale);
      refuseStandIn(categories);
      return categories.map(({ uid }) => uid);
    }),
    pageCache({
      cache: parts.pageCache,
      configuration,
      origin,
      forced: parts.pageCacheForced,
      administer: cacheAdministration(parts.cacheAdminSecret, parts.pageCache.operations),
      count: (result) => met.inc({ result }),
      limit: parts.limits.uncached,
      unknownPages: createUnknownPages(configuration, content, configuration.page_cache.expire_s),
      refuse: (locale) => (renderQueue.isFull ? refusalPage(overloaded, locale) : null),
    }),
    injectionStore((context) => {
      const { refusal, address } = context;
      const failure = refusal === null ? null : errorResponse(refusal, address.locale);
      return siteServices(parts, context, { failure, screen: null, hasReader: hasReader(context) });
    }),
    route(parts.site, origin, configuration, parts.policy),
  ];
}
