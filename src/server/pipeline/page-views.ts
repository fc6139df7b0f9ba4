import { LRUCache } from 'lru-cache';
import { pageKeyOf, siteHas } from '../../site/addressing/site-pages.ts';
import { deviceOf } from '../../site/state/device.ts';
import { mayBeSlug } from '../http/request-url.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { isProgram, shortAgent } from '../http/visitor/user-agent.ts';
import type { Visitor } from '../http/visitor/visitor.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import type { RouteContext } from './route-context.ts';

/** A browser that prefetches a page says so (Fetch Metadata). */
const isPrefetch = ({ headers }: Pick<RouteContext, 'headers'>) =>
  /prefetch/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''));

/** Whether a page was sent to a reader. */
const isView = (context: RouteContext, { status }: PageResponse, agent: string) =>
  status === 200 &&
  context.method === 'GET' &&
  context.kind !== 'manifest' &&
  !isPrefetch(context) &&
  !isProgram(agent);

const hourMs = 3_600_000;
/** Limit of remembered views, some 10 MB; beyond it the oldest are forgotten and would count again. */
const mostRemembered = 50_000;
/** Limit of counted readers of an article per hour and address block. */
const readersOfBlock = 80;

/** Tells whether a reading of an article counts for the lists: once an hour for each visitor. */
export type IsNewReading = (visitor: Visitor, article: string) => boolean;

/** @param now milliseconds, by a monotonic clock */
export function createReadings(now: () => number = () => performance.now()): IsNewReading {
  const readers = new LRUCache<string, number>({
    max: mostRemembered,
    ttl: hourMs,
    perf: { now },
    // Reads the clock each time, and sets no timers.
    ttlResolution: 0,
  });
  return ({ key, block }, article) => {
    const reader = `${key} ${article}`;
    if (readers.has(reader)) return false;
    readers.set(reader, 1);
    const neighbours = `block ${block} ${article}`;
    const counted = readers.get(neighbours) ?? 0;
    // The hour of a block begins with its first reader.
    if (counted < readersOfBlock) readers.set(neighbours, counted + 1, { noUpdateTTL: true });
    return counted < readersOfBlock;
  };
}

/** Counts a page view, also from the cache: an article's for the lists, and every page's for anonymous statistics. */
export function createViewCounting({
  configuration,
  views,
  tally,
}: Pick<ServerDependencies, 'configuration' | 'views' | 'tally'>): (
  context: RouteContext,
  response: PageResponse,
) => void {
  const isNewReading = createReadings();
  return (context, response) => {
    const agent = shortAgent(context.headers['user-agent']);
    if (!isView(context, response, agent)) return;
    const { visitor, address } = context;
    const { locale, page } = address;
    const device = context.audience.device ?? deviceOf(agent);
    const key = pageKeyOf(configuration, page);
    tally.add('view', key);
    tally.add('view_from', key, `${locale} ${device}`);
    const isArticle = mayBeSlug(page) && !siteHas(configuration, page, locale);
    if (isArticle && isNewReading(visitor, `${locale}/${page}`)) views.see(locale, page);
  };
}
