import type { Locale } from '../../../i18n/languages.ts';
import type { SiteConfiguration } from '../../configuration/configuration.ts';
import type { PageAnswer } from '../../http/answers/answer.ts';
import type { LateRateLimit } from '../../http/limits/rate-limits.ts';
import { isLoopback } from '../../http/visitor/local-caller.ts';
import type { PageCache } from '../../page-cache/page-cache.ts';
import { lifeS } from '../../page-cache/prepared-page.ts';
import { refusalIn } from '../../server/errors.ts';
import { type Handle, RouteContext, type RouteStep } from '../route-context.ts';
import { audienceOf, keyOf } from './key.ts';
import { sharing } from './shared.ts';
import type { UnknownPages } from './unknown-pages.ts';

/** How the cache handled a request. */
type CacheResult = 'hit' | 'miss' | 'shared' | 'passed' | 'refused' | 'unknown' | 'stale';

export interface PageCacheStepOptions {
  readonly cache: PageCache;
  readonly configuration: SiteConfiguration;
  /** Public origin. */
  readonly origin: string;
  /** Forces the cache on or off; null: on, except on a developer's own machine. */
  readonly forced: boolean | null;
  /** Answers the operator's addresses; null for all others. */
  readonly administer: (path: string, search: string) => Promise<PageAnswer> | null;
  readonly count: (result: CacheResult) => void;
  /** For pages that are rendered for one visitor. */
  readonly limit: LateRateLimit;
  readonly unknownPages: UnknownPages;
  /** The answer when the process has more pages to render than it can; null while it has not. */
  readonly refuse: (locale: Locale) => PageAnswer | null;
}

/** A page, and whether others have it too. */
interface Made {
  readonly answer: PageAnswer;
  readonly isCached: boolean;
}

const developmentHost = /^(?:localhost|127\.0\.0\.1|\[::1\]):3000$/;

/** Whether a developer opens the site: by that host name, from this machine. Anybody can send the name alone. */
const isDeveloper = ({ host, networkAddress }: RouteContext): boolean =>
  developmentHost.test(host) && isLoopback(networkAddress);

/** Handles the operator's addresses, and passes on everything else. */
const withAdministration =
  (administer: PageCacheStepOptions['administer'], handle: Handle): Handle =>
  (context) =>
    administer(context.path, context.search) ?? handle(context);

/** Finds the page of an unknown address; null for one that may exist. */
function createUnknownFinder(
  { unknownPages, configuration }: Pick<PageCacheStepOptions, 'unknownPages' | 'configuration'>,
  origin: URL,
) {
  return async (context: RouteContext, next: Handle): Promise<(() => Promise<PageAnswer>) | null> => {
    const { kind, method, path, address } = context;
    if (kind !== 'document' || (method !== 'GET' && method !== 'HEAD')) return null;
    if (!(await unknownPages.has(address, path))) return null;
    const standIn = unknownPages.pathOf(address.locale);
    const one = RouteContext.forEverybody(context, standIn, origin, configuration);
    const key = keyOf(one, configuration);
    return key === null ? null : () => unknownPages.page(key, async () => next(one));
  };
}

/** Responds with a cached page, or renders it once for concurrent requests and caches it. */
export function pageCache(options: PageCacheStepOptions): RouteStep {
  const { cache, configuration, forced, administer, count, limit, refuse } = options;
  const { pageCache: settings } = configuration.serving;
  const origin = new URL(options.origin);
  const shared = sharing(settings);
  const running = new Map<string, Promise<Made>>();
  const findUnknown = createUnknownFinder(options, origin);

  /** Renders a page once for all concurrent requests. */
  function share(key: string, context: RouteContext, next: Handle): Promise<Made> {
    const others = running.get(key);
    note(others === undefined ? 'miss' : 'shared', context);
    if (others !== undefined) return others;
    const make = async () => {
      const keep = cache.begin();
      const answer = await next(RouteContext.forEverybody(context, context.path, origin, configuration));
      const seconds = lifeS(answer, settings.expireS);
      if (seconds === 0) return { answer, isCached: false };
      return { answer: await keep(key, answer, seconds), isCached: true };
    };
    const made = make().finally(() => running.delete(key));
    running.set(key, made);
    return made;
  }

  /** A stale page is better than none. */
  async function findOrMake(key: string, context: RouteContext, next: Handle): Promise<PageAnswer> {
    try {
      return await findOrMakeNow(key, context, next);
    } catch (thrown) {
      const stale = refusalIn(thrown) === null ? undefined : cache.stale(key);
      if (stale === undefined) throw thrown;
      note('stale', context);
      return stale;
    }
  }

  async function findOrMakeNow(key: string, context: RouteContext, next: Handle): Promise<PageAnswer> {
    const kept = await cache.find(key);
    if (kept !== null) {
      note('hit', context);
      return shared(context, kept);
    }
    // Before any look-up, so that refusing a frequent requester costs nothing.
    if (!running.has(key)) await limit.check(context.visitor);
    const unknown = await findUnknown(context, next);
    if (unknown !== null) {
      note('unknown', context);
      await limit.spend(context.visitor);
      return unknown();
    }
    const { answer, isCached } = await share(key, context, next);
    // Only now is it known that the page is private, or that nothing was found.
    if (!isCached) await limit.spend(context.visitor);
    return isCached ? shared(context, answer) : answer;
  }

  /** Renders for one visitor. */
  async function makeFor(context: RouteContext, next: Handle): Promise<PageAnswer> {
    await limit.spend(context.visitor);
    const unknown = await findUnknown(context, next);
    note(unknown === null ? 'passed' : 'unknown', context);
    if (unknown !== null) return unknown();
    return next(context);
  }

  function note(result: CacheResult, { facts }: RouteContext): void {
    count(result);
    if (facts !== null) facts.cache = result;
  }

  const handleWith =
    (next: Handle): Handle =>
    (context) => {
      context.audience = audienceOf(context, settings.keyFormat, origin.host);
      const isOn = forced ?? !isDeveloper(context);
      const key = isOn ? keyOf(context, configuration) : null;
      const kept = key === null ? undefined : cache.peek(key);
      if (kept !== undefined) {
        note('hit', context);
        return shared(context, kept);
      }
      const refusal = key !== null && running.has(key) ? null : refuse(context.address.locale);
      if (refusal !== null) {
        const stale = key === null ? undefined : cache.stale(key);
        note(stale === undefined ? 'refused' : 'stale', context);
        return stale ?? refusal;
      }
      if (!isOn) {
        note('passed', context);
        return next(context);
      }
      return key === null ? makeFor(context, next) : findOrMake(key, context, next);
    };

  return { name: 'page-cache', before: (next) => withAdministration(administer, handleWith(next)) };
}
