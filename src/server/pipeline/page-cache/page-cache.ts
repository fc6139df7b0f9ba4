import type { Locale } from '../../../i18n/languages.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { KeyPart } from '../../../site/configuration/serving.ts';
import type { LateRateLimit } from '../../http/limits/visitor-limits.ts';
import type { PageResponse } from '../../http/responses/response.ts';
import { isLoopback } from '../../http/visitor/network-address.ts';
import { refusalIn } from '../../instance/errors.ts';
import type { PageCache } from '../../page-cache/page-cache.ts';
import { lifeS } from '../../page-cache/prepared-page.ts';
import { type Handle, RouteContext, type RouteStep } from '../route-context.ts';
import { audienceOf, keyOf } from './key.ts';
import type { UnknownPages } from './unknown-pages.ts';

/** The request header that each part of a key format is read from; null for what the address says. */
const headers: Readonly<Record<KeyPart, string | null>> = {
  locale: null,
  domain: null,
  device: 'User-Agent',
  os: 'User-Agent',
  browser: 'User-Agent',
  webp: 'Accept',
  login: 'Cookie',
  ab: 'Cookie',
};

/**
 * Lets a proxy or CDN in front cache what this site caches for all visitors, if the operator wants it (RFC 9111,
 * section 5.2.2.10; RFC 5861 for `stale-while-revalidate`). Excludes addresses with a query: only this site knows which
 * parameters matter.
 */
function sharing({ shared, key_format, expire_s }: SiteConfiguration['page_cache']) {
  const names = [...new Set(key_format.map((part) => headers[part]).filter((name) => name !== null))];
  return (context: RouteContext, kept: PageResponse): PageResponse => {
    if (!shared || context.search !== '') return kept;
    const { responseHeaders } = context;
    context.sharedS = lifeS(kept, expire_s);
    const vary = [responseHeaders.vary, ...names].filter((name) => name !== undefined);
    if (vary.length > 0) responseHeaders.vary = vary.join(', ');
    return kept;
  };
}

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
  readonly administer: (path: string, search: string) => Promise<PageResponse> | null;
  readonly count: (result: CacheResult) => void;
  /** For pages that are rendered for one visitor. */
  readonly limit: LateRateLimit;
  readonly unknownPages: UnknownPages;
  /** The answer when the process has more pages to render than it can; null while it has not. */
  readonly refuse: (locale: Locale) => PageResponse | null;
}

/** A page, and whether others have it too. */
interface Made {
  readonly answer: PageResponse;
  readonly isCached: boolean;
}

const developmentHost = /^(?:localhost|127\.0\.0\.1|\[::1\]):3000$/;

/** Whether a developer opens the site: by that host name, from this machine. Anybody can send the name alone. */
const isDeveloper = ({ host, networkAddress }: RouteContext): boolean =>
  developmentHost.test(host) && isLoopback(networkAddress);

/** Finds the page of an unknown address; null for one that may exist. */
function createUnknownFinder(
  { unknownPages, configuration }: Pick<PageCacheStepOptions, 'unknownPages' | 'configuration'>,
  origin: URL,
) {
  return async (context: RouteContext, next: Handle): Promise<(() => Promise<PageResponse>) | null> => {
    const { kind, method, path, address } = context;
    if (kind !== 'document' || (method !== 'GET' && method !== 'HEAD')) return null;
    if (!(await unknownPages.has(address, path))) return null;
    const standIn = unknownPages.pathOf(address.locale);
    const one = RouteContext.forEverybody(context, standIn, origin, configuration);
    const key = keyOf(one, configuration);
    return key === null ? null : () => unknownPages.page(key, async () => next(one));
  };
}

/** Answers page requests from the cache, and renders what is not in it. */
class CachedRendering {
  readonly #options: PageCacheStepOptions;
  readonly #settings: SiteConfiguration['page_cache'];
  readonly #origin: URL;
  readonly #share: ReturnType<typeof sharing>;
  readonly #findUnknown: ReturnType<typeof createUnknownFinder>;
  /** Pages that are being rendered for everybody, by their keys. */
  readonly #running = new Map<string, Promise<Made>>();

  constructor(options: PageCacheStepOptions) {
    this.#options = options;
    this.#settings = options.configuration.page_cache;
    this.#origin = new URL(options.origin);
    this.#share = sharing(this.#settings);
    this.#findUnknown = createUnknownFinder(options, this.#origin);
  }

  /** @param next renders the page */
  answer(context: RouteContext, next: Handle): PageResponse | Promise<PageResponse> {
    const { cache, configuration, forced, refuse } = this.#options;
    context.audience = audienceOf(context, this.#settings.key_format, this.#origin.host);
    const isOn = forced ?? !isDeveloper(context);
    const key = isOn ? keyOf(context, configuration) : null;
    const kept = key === null ? undefined : cache.peek(key);
    if (kept !== undefined) {
      this.#note('hit', context);
      return this.#share(context, kept);
    }
    const refusal = key !== null && this.#running.has(key) ? null : refuse(context.address.locale);
    if (refusal !== null) {
      const stale = key === null ? undefined : cache.stale(key);
      this.#note(stale === undefined ? 'refused' : 'stale', context);
      return stale ?? refusal;
    }
    if (!isOn) {
      this.#note('passed', context);
      return next(context);
    }
    return key === null ? this.#renderPrivate(context, next) : this.#findOrStale(key, context, next);
  }

  /** A stale page is better than none. */
  async #findOrStale(key: string, context: RouteContext, next: Handle): Promise<PageResponse> {
    try {
      return await this.#findOrRender(key, context, next);
    } catch (thrown) {
      const stale = refusalIn(thrown) === null ? undefined : this.#options.cache.stale(key);
      if (stale === undefined) throw thrown;
      this.#note('stale', context);
      return stale;
    }
  }

  async #findOrRender(key: string, context: RouteContext, next: Handle): Promise<PageResponse> {
    const { cache, limit } = this.#options;
    const kept = await cache.find(key);
    if (kept !== null) {
      this.#note('hit', context);
      return this.#share(context, kept);
    }
    // Before any look-up, so that refusing a frequent requester costs nothing.
    if (!this.#running.has(key)) await limit.check(context.visitor);
    const unknown = await this.#findUnknown(context, next);
    if (unknown !== null) {
      this.#note('unknown', context);
      await limit.spend(context.visitor);
      return unknown();
    }
    const { answer, isCached } = await this.#renderOnce(key, context, next);
    // Only now is it known that the page is private, or that nothing was found.
    if (!isCached) await limit.spend(context.visitor);
    return isCached ? this.#share(context, answer) : answer;
  }

  /** Renders a page once for all concurrent requests, and caches it. */
  #renderOnce(key: string, context: RouteContext, next: Handle): Promise<Made> {
    const others = this.#running.get(key);
    this.#note(others === undefined ? 'miss' : 'shared', context);
    if (others !== undefined) return others;
    const made = this.#render(key, context, next).finally(() => this.#running.delete(key));
    this.#running.set(key, made);
    return made;
  }

  async #render(key: string, context: RouteContext, next: Handle): Promise<Made> {
    const { cache, configuration } = this.#options;
    const keep = cache.begin();
    const answer = await next(RouteContext.forEverybody(context, context.path, this.#origin, configuration));
    const seconds = lifeS(answer, this.#settings.expire_s);
    if (seconds === 0) return { answer, isCached: false };
    return { answer: await keep(key, answer, seconds), isCached: true };
  }

  /** Renders for one visitor. */
  async #renderPrivate(context: RouteContext, next: Handle): Promise<PageResponse> {
    await this.#options.limit.spend(context.visitor);
    const unknown = await this.#findUnknown(context, next);
    this.#note(unknown === null ? 'passed' : 'unknown', context);
    return unknown === null ? next(context) : unknown();
  }

  #note(result: CacheResult, { facts }: RouteContext): void {
    this.#options.count(result);
    if (facts !== null) facts.cache = result;
  }
}

/** Responds with a cached page, or renders it once for concurrent requests and caches it. */
export function pageCache(options: PageCacheStepOptions): RouteStep {
  const pages = new CachedRendering(options);
  return {
    name: 'page-cache',
    before: (next) => (context) =>
      options.administer(context.path, context.search) ?? pages.answer(context, next),
  };
}
