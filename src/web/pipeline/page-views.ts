import { LRUCache } from 'lru-cache';
import { pageKeyOf } from '../addressing/page-keys.ts';
import { siteHas } from '../addressing/site-pages.ts';
import type { PageAnswer } from '../http/answers/answer.ts';
import { deviceOf, isProgram, shortAgent } from '../http/visitor/user-agent.ts';
import type { Visitor } from '../http/visitor/visitor.ts';
import type { ServerParts } from '../server/parts.ts';
import type { PageExchange } from './exchange.ts';

/** What an article's address looks like. */
const slugPattern = /^[a-z0-9-]{1,100}$/;

/** A browser that fetches a page in case it is wanted says so (Fetch Metadata). */
const isPrefetch = ({ headers }: Pick<PageExchange, 'headers'>) =>
  /prefetch/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''));

/** Whether a page was sent that somebody now reads. */
const isView = (exchange: PageExchange, { status }: PageAnswer, agent: string) =>
  status === 200 &&
  exchange.method === 'GET' &&
  exchange.kind !== 'manifest' &&
  !isPrefetch(exchange) &&
  !isProgram(agent);

const hourMs = 3_600_000;
/** So many readings are remembered, some 10 MB; beyond, the oldest are forgotten and would count again. */
const mostRemembered = 50_000;
/** So many readers of an article count in an hour for one address block. */
const readersOfBlock = 80;

/** Tells whether a reading of an article counts for the lists: once an hour for each visitor. */
export type IsNewReading = (visitor: Visitor, article: string) => boolean;

/** @param now milliseconds, by a clock that goes on evenly */
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

/**
 * Counts the reading of a page, also when it came from the cache: an article's for the lists, and every page's for
 * statistics that identify nobody.
 */
export function createViewCounting({
  configuration,
  views,
  records,
}: Pick<ServerParts, 'configuration' | 'views' | 'records'>): (
  exchange: PageExchange,
  answer: PageAnswer,
) => void {
  const isNewReading = createReadings();
  return (exchange, answer) => {
    const agent = shortAgent(exchange.headers['user-agent']);
    if (!isView(exchange, answer, agent)) return;
    const { visitor, address } = exchange;
    const { locale, page } = address;
    const device = exchange.audience.device ?? deviceOf(agent);
    records?.count({ subject: 'view', page: pageKeyOf(configuration, page), locale, device });
    const isArticle = slugPattern.test(page) && !siteHas(configuration, page, locale);
    if (isArticle && isNewReading(visitor, `${locale}/${page}`)) views.see(locale, page);
  };
}
