import type { SiteConfiguration } from '../../configuration/configuration.ts';
import type { KeyPart } from '../../configuration/serving.ts';
import { browserOf, deviceOf, shortAgent, systemOf } from '../../http/visitor/user-agent.ts';
import type { Audience } from '../../loaders/services.ts';
import { readsQuery } from '../../pages/relevant-query.ts';
import type { PageExchange } from '../exchange.ts';

/** What each part of a key format says of a request: one of a few words, whatever the request holds. */
const readers: {
  readonly [Part in Exclude<KeyPart, 'locale'>]: (
    exchange: PageExchange,
    agent: string,
    host: string,
  ) => NonNullable<Audience[Part]>;
} = {
  device: (_, agent) => deviceOf(agent),
  os: (_, agent) => systemOf(agent),
  browser: (_, agent) => browserOf(agent),
  webp: ({ headers }) => (headers.accept?.includes('image/webp') ? 'webp' : 'plain'),
  login: (exchange) => (exchange.sentCookie('token') ? 'in' : 'out'),
  domain: (exchange, _, host) => (exchange.host.toLowerCase() === host ? host : 'other'),
  ab: ({ buckets }) => Object.values(buckets).join('-'),
};

/**
 * What a page may know of its visitor: what the key format names, and nothing else.
 * @param host of the public origin
 */
export function audienceOf(exchange: PageExchange, format: readonly KeyPart[], host: string): Audience {
  const agent = shortAgent(exchange.headers['user-agent']);
  const audience: Record<string, string> = {};
  for (const part of format) if (part !== 'locale') audience[part] = readers[part](exchange, agent, host);
  return audience;
}

/** Addresses that are written in no other way: each page has few of them, so that nobody can fill the cache with one. */
const plainPath = /^(?:\/[a-z0-9_](?:[a-z0-9_-]|\.(?=[a-z0-9]))*)*\/?$/;

/** Whether a path is written plainly. */
export const isPlain = (path: string): boolean => path.length <= 300 && plainPath.test(path);

/** Longer ones are not taken apart. */
const longestQuery = 2000;

/** Whether a query holds anything that the page looks at. */
function isLookedAt(
  { kind, search, address }: PageExchange,
  ignored: ReadonlySet<string>,
  configuration: SiteConfiguration,
): boolean {
  if (search === '' || search === '?') return false;
  if (search.length > longestQuery) return true;
  const query = new URLSearchParams(search);
  for (const name of ignored) query.delete(name);
  // The router's own, by which it asks for parts of a page's data.
  if (kind === 'data' && query.has('_routes')) return true;
  return readsQuery(configuration, address.page, query);
}

/**
 * The key under which a page is kept, or null for a request whose answer is never kept: anything but a plainly
 * written page address without a query of its own.
 */
export function keyOf(exchange: PageExchange, configuration: SiteConfiguration): string | null {
  const { method, kind, path, address, audience } = exchange;
  const { pageCache } = configuration.serving;
  if ((method !== 'GET' && method !== 'HEAD') || kind === 'manifest') return null;
  if (!isPlain(path)) return null;
  if (isLookedAt(exchange, pageCache.ignoredParameters, configuration)) return null;
  if (pageCache.excludedPaths.some((excluded) => `/${address.page}/`.startsWith(excluded))) return null;
  let key = '';
  for (const part of pageCache.keyFormat) key += `${part === 'locale' ? address.locale : audience[part]}.`;
  return key.slice(0, -1) + path;
}
