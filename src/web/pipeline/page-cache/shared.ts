import type { KeyPart, Serving } from '../../configuration/serving.ts';
import type { PageAnswer } from '../../http/answers/answer.ts';
import { lifeS } from '../../page-cache/prepared-page.ts';
import type { PageExchange } from '../exchange.ts';

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
 * Lets a proxy or CDN in front keep what this site keeps for everybody, where the operator wants that (RFC 9111,
 * section 5.2.2.10; RFC 5861 for `stale-while-revalidate`). Addresses with a query are left to this site, which knows
 * what of it a page looks at.
 */
export function sharing({ isShared, keyFormat, expireS }: Serving['pageCache']) {
  const names = [...new Set(keyFormat.map((part) => headers[part]).filter((name) => name !== null))];
  return (exchange: PageExchange, kept: PageAnswer): PageAnswer => {
    if (!isShared || exchange.search !== '') return kept;
    const { answerHeaders } = exchange;
    exchange.sharedS = lifeS(kept, expireS);
    const vary = [answerHeaders.vary, ...names].filter((name) => name !== undefined);
    if (vary.length > 0) answerHeaders.vary = vary.join(', ');
    return kept;
  };
}
