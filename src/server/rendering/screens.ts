import type { FastifyRequest } from 'fastify';
import type { Locale } from '../../i18n/languages.ts';
import { pathFor } from '../../site/addressing/addresses.ts';
import type { ErrorResponse } from '../../site/api.ts';
import { scriptHashesHeader } from '../../site/document/script-hashes.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import { createMemo } from '../../stores/shared-work/memo.ts';
import { neverAborted } from '../http/disconnect.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { noneOwn, sendResponse } from '../http/responses/send.ts';
import { refusalIn, type ShowFailure } from '../instance/errors.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { preparePage } from '../page-cache/prepared-page.ts';
import { failureNotice, isWithoutPage, type RefusalPage } from './bare-pages.ts';
import { renderSite, toPageResponse } from './render-site.ts';
import { type Requester, siteServices } from './site-services.ts';

/**
 * The home page of a language with other content in place of its tool or of the whole page. Without scripts: they would
 * render the page of the visitor's address instead.
 */
async function homeWith(
  shown: Pick<SiteServices, 'failure' | 'screen'>,
  locale: Locale,
  requester: Requester,
  parts: ServerDependencies,
): Promise<PageResponse> {
  const { configuration, origin, site } = parts;
  const { id, host, visitor, signal, log } = requester;
  const spoken = configuration.locales.includes(locale) ? locale : configuration.default_locale;
  const request = new Request(origin + pathFor(configuration, spoken, ''), { signal });
  const page = await renderSite(
    site,
    request,
    // Without scripts these settings are useless.
    siteServices(
      { ...parts, visitorSettings: () => null },
      { id, host, visitor, signal, log, audience: {} },
      { ...shown, hasReader: true },
    ),
  );
  if (isWithoutPage(page)) return failureNotice(id, spoken, configuration);
  const html = (await page.text()).replace(/<script\b[^>]*>.*?<\/script>/gs, '');
  const headers = new Headers(page.headers);
  headers.delete(scriptHashesHeader);
  return toPageResponse(
    new Response(html, { status: page.status, headers }),
    site.isDevelopment === true ? null : parts.policy,
  );
}

/**
 * The page for an error in a route step: the error screen in the page's language, status 500. When that fails too, a
 * plain notice.
 * @param message the screen's text, whose look-up may itself be what fails
 */
export async function errorScreen(
  thrown: unknown,
  message: (locale: Locale) => string,
  locale: Locale,
  requester: Requester,
  parts: ServerDependencies,
): Promise<PageResponse> {
  const { id, log } = requester;
  try {
    const screen = { status: 500, message: message(locale) };
    const response = await homeWith({ failure: null, screen }, locale, requester, parts);
    log.error({ err: thrown }, 'page failed');
    return response;
  } catch (screenFailure) {
    log.error({ err: new AggregateError([thrown, screenFailure]) }, 'page failed, and its error screen too');
    return failureNotice(id, locale, parts.configuration);
  }
}

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
