import { pageKeyOf } from '../../site/addressing/page-keys.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';
import type { PageAnswer } from '../http/answer.ts';
import { deviceOf, isProgram, shortAgent } from '../http/user-agent.ts';
import type { ServerParts } from '../parts.ts';
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

/**
 * Counts the reading of a page, also when it came from the cache: an article's for the lists, and every page's for
 * statistics that identify nobody.
 */
export function countView(
  exchange: PageExchange,
  answer: PageAnswer,
  { configuration, views, statistics }: Pick<ServerParts, 'configuration' | 'views' | 'statistics'>,
): void {
  const agent = shortAgent(exchange.headers['user-agent']);
  if (!isView(exchange, answer, agent)) return;
  const { locale, page } = exchange.address;
  const device = exchange.audience.device ?? deviceOf(agent);
  statistics?.count({ subject: 'view', page: pageKeyOf(configuration, page), locale, device });
  if (slugPattern.test(page) && !siteHas(configuration, page, locale)) views.see(locale, page);
}
