import type { FastifyRequest } from 'fastify';
import type { Locale } from '../../i18n/languages.ts';
import type { ErrorResponse } from '../../site/api.ts';
import { createMemo } from '../../stores/shared-work/memo.ts';
import { neverAborted } from '../http/disconnect.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { noneOwn, sendResponse } from '../http/responses/send.ts';
import { refusalIn, type ShowFailure } from '../instance/errors.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { preparePage } from '../page-cache/prepared-page.ts';
import type { RefusalPage } from './refusal-pages.ts';
import { homeWith } from './screens.ts';

/** One for each language, for some failures. */
const mostFailurePages = 200;

/** The page shows some articles, which change. */
const failurePageLifeMs = 60_000;

/**
 * The home page in the visitor's language, with the failure in place of a result. It is the same for all visitors, and
 * cached: a visitor who tries invalid links causes no rendering for each.
 */
export function failurePages(refusalPage: RefusalPage, parts: ServerDependencies): ShowFailure {
  const kept = createMemo<PageResponse>({ max: mostFailurePages, ttlMs: failurePageLifeMs });

  function pageFor(failure: ErrorResponse, locale: Locale, { id, host, visitor, log }: FastifyRequest) {
    const { key, message } = failure.error;
    // The retry time is in the response's header, for each visitor.
    const shown = { failure: { ...failure, error: { key, message } }, screen: null };
    const requester = { id, host, visitor, log, signal: neverAborted };
    return kept.get(`${locale} ${key} ${message}`, () =>
      homeWith(shown, locale, requester, parts).then(preparePage),
    );
  }

  return async (failure, locale, request, reply) => {
    let page: PageResponse;
    try {
      page = await pageFor(failure, locale, request);
    } catch (thrown) {
      const refusal = refusalIn(thrown);
      if (refusal === null) throw thrown;
      page = refusalPage(refusal, locale);
    }
    return sendResponse(page, noneOwn, request, reply);
  };
}
