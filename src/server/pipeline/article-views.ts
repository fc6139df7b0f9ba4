import type { ViewCounter } from '../../content/writing/views.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { PageAnswer } from '../http/answer.ts';
import type { PageExchange } from './exchange.ts';

/** What an article's address looks like. */
const slugPattern = /^[a-z0-9-]{1,100}$/;

/** Programs that say that they are one; others cannot be told from people. */
const programs =
  /bot\b|crawl|spider|slurp|preview|monitor|headless|curl|wget|python|http-?client|facebookexternalhit/i;

/** A browser that fetches a page in case it is wanted says so (Fetch Metadata). */
const isPrefetch = ({ headers }: Pick<PageExchange, 'headers'>) =>
  /prefetch/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''));

/** Whether a page that was sent is one that somebody now reads, and maybe an article. */
function isView(exchange: PageExchange, { status }: PageAnswer, configuration: SiteConfiguration): boolean {
  const { method, kind, address, headers } = exchange;
  return (
    status === 200 &&
    method === 'GET' &&
    kind !== 'manifest' &&
    slugPattern.test(address.page) &&
    !siteHas(configuration, address.page, address.locale) &&
    !isPrefetch(exchange) &&
    !programs.test(headers['user-agent'] ?? '')
  );
}

/** Counts the reading of an article, also when its page came from the cache. */
export function countView(
  exchange: PageExchange,
  answer: PageAnswer,
  configuration: SiteConfiguration,
  views: ViewCounter,
): void {
  const { locale, page } = exchange.address;
  if (isView(exchange, answer, configuration)) views.see(locale, page);
}
