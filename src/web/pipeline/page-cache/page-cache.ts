import type { Locale } from '../../../i18n/languages.ts';
import type { SiteConfiguration } from '../../configuration/configuration.ts';
import type { PageAnswer } from '../../http/answers/answer.ts';
import type { LateRateLimit } from '../../http/limits/rate-limits.ts';
import { isLoopback } from '../../http/visitor/local-caller.ts';
import type { PageCache } from '../../page-cache/page-cache.ts';
import { lifeS } from '../../page-cache/prepared-page.ts';
import { refusalIn } from '../../server/errors.ts';
import { type Handle, PageExchange, type RouteStep } from '../exchange.ts';
import { audienceOf, keyOf } from './key.ts';
import { sharing } from './shared.ts';
import type { UnknownPages } from './unknown-pages.ts';

/** How a request met the cache. */
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
  /** Of pages that are made for one visitor alone. */
  readonly limit: LateRateLimit;
  readonly unknownPages: UnknownPages;
  /** The answer when the process has more pages to render than it can; null while it has not. */
  readonly refuse: (locale: Locale) => PageAnswer | null;
}

/** A page, and whether others have it too. */
interface Made {
  readonly answer: PageAnswer;
  readonly isKept: boolean;
}

const developmentHost = /^(?:localhost|127\.0\.0\.1|\[::1\]):3000$/;

/** Whether a developer looks at the site: asked by that name, from this machine. Anybody can write the name. */
const isDeveloper = ({ host, networkAddress }: PageExchange): boolean =>
  developmentHost.test(host) && isLoopback(networkAddress);

/** Has the operator's addresses answered, and everything else handled. */
const withAdministration =
  (administer: PageCacheStepOptions['administer'], handle: Handle): Handle =>
  (exchange) =>
    administer(exchange.path, exchange.search) ?? handle(exchange);

/** Finds the page for an address that nobody has; null for one at which something may be found. */
function createUnknownFinder(
  { unknownPages, configuration }: Pick<PageCacheStepOptions, 'unknownPages' | 'configuration'>,
  origin: URL,
) {
  return async (exchange: PageExchange, next: Handle): Promise<(() => Promise<PageAnswer>) | null> => {
    const { kind, method, path, address } = exchange;
    if (kind !== 'document' || (method !== 'GET' && method !== 'HEAD')) return null;
    if (!(await unknownPages.has(address, path))) return null;
    const standIn = unknownPages.pathOf(address.locale);
    const one = PageExchange.forEverybody(exchange, standIn, origin, configuration);
    const key = keyOf(one, configuration);
    return key === null ? null : () => unknownPages.page(key, async () => next(one));
  };
}

/** Answers with a kept page, or has it made once for all who ask for it at the same time, and keeps it. */
export function pageCache(options: PageCacheStepOptions): RouteStep {
  const { cache, configuration, forced, administer, count, limit, refuse } = options;
  const { pageCache: settings } = configuration.serving;
  const origin = new URL(options.origin);
  const shared = sharing(settings);
  const running = new Map<string, Promise<Made>>();
  const findUnknown = createUnknownFinder(options, origin);

  /** Makes a page once for all who ask for it meanwhile. */
  function share(key: string, exchange: PageExchange, next: Handle): Promise<Made> {
    const others = running.get(key);
    note(others === undefined ? 'miss' : 'shared', exchange);
    if (others !== undefined) return others;
    const make = async () => {
      const keep = cache.begin();
      const answer = await next(PageExchange.forEverybody(exchange, exchange.path, origin, configuration));
      const seconds = lifeS(answer, settings.expireS);
      if (seconds === 0) return { answer, isKept: false };
      return { answer: await keep(key, answer, seconds), isKept: true };
    };
    const made = make().finally(() => running.delete(key));
    running.set(key, made);
    return made;
  }

  /** A page that is too old is better than none. */
  async function findOrMake(key: string, exchange: PageExchange, next: Handle): Promise<PageAnswer> {
    try {
      return await findOrMakeNow(key, exchange, next);
    } catch (thrown) {
      const stale = refusalIn(thrown) === null ? undefined : cache.stale(key);
      if (stale === undefined) throw thrown;
      note('stale', exchange);
      return stale;
    }
  }

  async function findOrMakeNow(key: string, exchange: PageExchange, next: Handle): Promise<PageAnswer> {
    const kept = await cache.find(key);
    if (kept !== null) {
      note('hit', exchange);
      return shared(exchange, kept);
    }
    // Before anything is looked up for it: who asks too often is refused at no cost.
    if (!running.has(key)) await limit.check(exchange.visitor);
    const unknown = await findUnknown(exchange, next);
    if (unknown !== null) {
      note('unknown', exchange);
      await limit.spend(exchange.visitor);
      return unknown();
    }
    const { answer, isKept } = await share(key, exchange, next);
    // Only now it is known that nobody else may have it, or that nothing was found.
    if (!isKept) await limit.spend(exchange.visitor);
    return isKept ? shared(exchange, answer) : answer;
  }

  /** For one visitor alone. */
  async function makeFor(exchange: PageExchange, next: Handle): Promise<PageAnswer> {
    await limit.spend(exchange.visitor);
    const unknown = await findUnknown(exchange, next);
    note(unknown === null ? 'passed' : 'unknown', exchange);
    if (unknown !== null) return unknown();
    return next(exchange);
  }

  function note(result: CacheResult, { facts }: PageExchange): void {
    count(result);
    if (facts !== null) facts.cache = result;
  }

  const handleWith =
    (next: Handle): Handle =>
    (exchange) => {
      exchange.audience = audienceOf(exchange, settings.keyFormat, origin.host);
      const isOn = forced ?? !isDeveloper(exchange);
      const key = isOn ? keyOf(exchange, configuration) : null;
      const kept = key === null ? undefined : cache.peek(key);
      if (kept !== undefined) {
        note('hit', exchange);
        return shared(exchange, kept);
      }
      const refusal = key !== null && running.has(key) ? null : refuse(exchange.address.locale);
      if (refusal !== null) {
        const stale = key === null ? undefined : cache.stale(key);
        note(stale === undefined ? 'refused' : 'stale', exchange);
        return stale ?? refusal;
      }
      if (!isOn) {
        note('passed', exchange);
        return next(exchange);
      }
      return key === null ? makeFor(exchange, next) : findOrMake(key, exchange, next);
    };

  return { name: 'page-cache', before: (next) => withAdministration(administer, handleWith(next)) };
}
