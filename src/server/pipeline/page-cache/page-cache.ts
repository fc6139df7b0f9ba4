import type { Serving } from '../../../site/serving.ts';
import { audienceOf, keyOf } from '../../page-cache/key.ts';
import type { PageCache } from '../../page-cache/page-cache.ts';
import { lifeS } from '../../page-cache/prepared-page.ts';
import type { Handle, PageAnswer, PageExchange, RouteStep } from '../exchange.ts';

/** How a request met the cache. */
type CacheResult = 'hit' | 'miss' | 'shared' | 'passed';

export interface PageCacheStepOptions {
  readonly cache: PageCache;
  readonly serving: Pick<Serving, 'pageCache'>;
  /** Public origin. */
  readonly origin: string;
  /** Forces the cache on or off; null: on, except on a developer's own machine. */
  readonly forced: boolean | null;
  /** Answers the operator's addresses; null for all others. */
  readonly administer: (path: string, search: string) => Promise<PageAnswer> | null;
  readonly count: (result: CacheResult) => void;
}

const developmentHost = /^(?:localhost|127\.0\.0\.1|\[::1\]):3000$/;

/** Nobody leaves while a page is made for all. */
const nobodyLeaves = new AbortController().signal;

/**
 * The exchange of a page for everybody: it holds what the key says and nothing else of the visitor's request, so that
 * nothing else can reach the page.
 */
function forEverybody({ id, kind, path, address, log, audience }: PageExchange, origin: URL): PageExchange {
  return {
    id,
    method: 'GET',
    kind,
    path,
    search: '',
    address,
    headers: {},
    body: undefined,
    refusal: null,
    host: origin.host,
    isSecure: origin.protocol === 'https:',
    visitor: { key: '', block: '' },
    networkAddress: '',
    signal: nobodyLeaves,
    log,
    cookies: [],
    buckets: {},
    answerHeaders: {},
    facts: null,
    audience,
    services: null,
  };
}

/** Answers with a kept page, or has it made once for all who ask for it at the same time, and keeps it. */
export function pageCache(options: PageCacheStepOptions): RouteStep {
  const { cache, serving, forced, administer, count } = options;
  const origin = new URL(options.origin);
  const running = new Map<string, Promise<PageAnswer>>();

  async function findOrMake(key: string, exchange: PageExchange, next: Handle): Promise<PageAnswer> {
    const kept = await cache.find(key);
    noted(kept === null ? 'miss' : 'hit', exchange);
    if (kept !== null) return kept;
    const keep = cache.begin();
    const answer = await next(forEverybody(exchange, origin));
    const seconds = lifeS(answer, serving.pageCache.expireS);
    return seconds > 0 ? keep(key, answer, seconds) : answer;
  }

  function noted(result: CacheResult, { facts }: PageExchange): void {
    count(result);
    if (facts !== null) facts.cache = result;
  }

  return {
    name: 'page-cache',
    before: (next) => (exchange) => {
      const administered = administer(exchange.path, exchange.search);
      if (administered !== null) return administered;
      exchange.audience = audienceOf(exchange, serving.pageCache.keyFormat, origin.host);
      const isOn = forced ?? !developmentHost.test(exchange.host);
      const key = isOn ? keyOf(exchange, serving) : null;
      if (key === null) {
        noted('passed', exchange);
        return next(exchange);
      }
      const kept = cache.peek(key);
      if (kept !== undefined) {
        noted('hit', exchange);
        return kept;
      }
      const others = running.get(key);
      if (others !== undefined) {
        noted('shared', exchange);
        return others;
      }
      const made = findOrMake(key, exchange, next).finally(() => running.delete(key));
      running.set(key, made);
      return made;
    },
  };
}
