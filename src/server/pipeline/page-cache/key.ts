import { findModule } from '../../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { KeyPart } from '../../../site/configuration/serving.ts';
import type { Audience } from '../../../site/loaders/services.ts';
import { sharedText } from '../../../site/pages/tool/state/tool-response.ts';
import { deviceOf } from '../../../site/state/device.ts';
import { systemOf } from '../../../site/state/system.ts';
import { browserOf, shortAgent } from '../../http/visitor/user-agent.ts';
import type { RouteContext } from '../route-context.ts';

/**
 * Whether a page reads anything in a query. Other queries do not change the page, however often a program invents new
 * ones.
 */
function readsQuery(configuration: SiteConfiguration, page: string, query: URLSearchParams): boolean {
  if (page === 'posts') return query.has('category');
  return findModule(configuration, page) !== undefined && sharedText(query) !== null;
}

/** The value of each key component for a request: one of a few words, whatever the request contains. */
const readers: {
  readonly [Part in Exclude<KeyPart, 'locale'>]: (
    context: RouteContext,
    agent: string,
    host: string,
  ) => NonNullable<Audience[Part]>;
} = {
  device: (_, agent) => deviceOf(agent),
  os: (_, agent) => systemOf(agent),
  browser: (_, agent) => browserOf(agent),
  webp: ({ headers }) => (headers.accept?.includes('image/webp') ? 'webp' : 'plain'),
  login: (context) => (context.sentCookie('token') ? 'in' : 'out'),
  domain: (context, _, host) => (context.host.toLowerCase() === host ? host : 'other'),
  ab: ({ buckets }) => Object.values(buckets).join('-'),
};

/**
 * The visitor's properties that a page may depend on: those in the key format, and no others.
 * @param host of the public origin
 */
export function audienceOf(context: RouteContext, format: readonly KeyPart[], host: string): Audience {
  const agent = shortAgent(context.headers['user-agent']);
  const audience: Record<string, string> = {};
  for (const part of format) if (part !== 'locale') audience[part] = readers[part](context, agent, host);
  return audience;
}

/** Canonically written addresses: each page has few of them, so that nobody can fill the cache with one page. */
const plainPath = /^(?:\/[a-z0-9_](?:[a-z0-9_-]|\.(?=[a-z0-9]))*)*\/?$/;

/** Whether a path is written plainly. */
export const isPlain = (path: string): boolean => path.length <= 300 && plainPath.test(path);

/** Longer ones are not taken apart. */
const longestQuery = 2000;

/** Whether a query contains a parameter that the page reads. */
function isLookedAt(
  { kind, search, address }: RouteContext,
  ignored: ReadonlySet<string>,
  configuration: SiteConfiguration,
): boolean {
  if (search === '' || search === '?') return false;
  if (search.length > longestQuery) return true;
  const query = new URLSearchParams(search);
  for (const name of ignored) query.delete(name);
  // The router's own parameter for parts of a page's data.
  if (kind === 'data' && query.has('_routes')) return true;
  return readsQuery(configuration, address.page, query);
}

/**
 * The cache key of a page, or null for a request whose response is never cached: anything but a canonical page address
 * without a relevant query.
 */
export function keyOf(context: RouteContext, configuration: SiteConfiguration): string | null {
  const { method, kind, path, address, audience } = context;
  const { page_cache } = configuration;
  if ((method !== 'GET' && method !== 'HEAD') || kind === 'manifest') return null;
  if (!isPlain(path)) return null;
  if (isLookedAt(context, page_cache.ignored_parameters, configuration)) return null;
  if (page_cache.excluded_paths.some((excluded) => `/${address.page}/`.startsWith(excluded))) return null;
  let key = '';
  for (const part of page_cache.key_format) key += `${part === 'locale' ? address.locale : audience[part]}.`;
  return key.slice(0, -1) + path;
}
