import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Locale } from '../../i18n/languages.ts';
import type { ErrorAnswer } from '../api.ts';
import type { PageAnswer } from '../http/answers/answer.ts';
import { noneOwn, sendAnswer } from '../http/answers/send.ts';
import { neverAborted } from '../http/disconnect.ts';
import { preparePage } from '../page-cache/prepared-page.ts';
import { refusalIn, type ShowFailure } from '../server/errors.ts';
import type { ServerParts } from '../server/parts.ts';
import type { RefusalPage } from './refusal-pages.ts';
import { homeWith } from './screens.ts';

/** As many as there are languages, for some failures. */
const mostFailurePages = 200;

/** The page shows some articles, which change. */
const failurePageLifeMs = 60_000;

/**
 * The home page in the visitor's language, with what went wrong where a result would stand. It is the same for
 * everybody, and kept: whoever tries wrong links has no page made for each.
 */
export function failurePages(refusalPage: RefusalPage, parts: ServerParts): ShowFailure {
  const kept = new LRUCache<string, Promise<PageAnswer>>({ max: mostFailurePages, ttl: failurePageLifeMs });

  function pageFor(failure: ErrorAnswer, locale: Locale, { id, host, visitor, log }: FastifyRequest) {
    const { key, message } = failure.error;
    const name = `${locale} ${key} ${message}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    // When to try again is said by the answer's header, anew for each visitor.
    const shown = { failure: { ...failure, error: { key, message } }, screen: null };
    const requester = { id, host, visitor, log, signal: neverAborted };
    const page = homeWith(shown, locale, requester, parts).then(preparePage);
    kept.set(name, page);
    page.catch(() => kept.delete(name));
    return page;
  }

  return async (failure, locale, request, reply) => {
    let page: PageAnswer;
    try {
      page = await pageFor(failure, locale, request);
    } catch (thrown) {
      const refusal = refusalIn(thrown);
      if (refusal === null) throw thrown;
      page = refusalPage(refusal, locale);
    }
    return sendAnswer(page, noneOwn, request, reply);
  };
}
