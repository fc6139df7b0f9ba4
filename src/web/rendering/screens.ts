import type { Locale } from '../../i18n/languages.ts';
import { pathFor } from '../addressing/addresses.ts';
import { scriptHashesHeader } from '../document/script-hashes.ts';
import type { PageAnswer } from '../http/answers/answer.ts';
import type { SiteServices } from '../loaders/services.ts';
import type { ServerParts } from '../server/parts.ts';
import { askSite } from './ask-site.ts';
import { failureNotice, isWithoutPage } from './failure-notice.ts';
import { type Requester, siteServices } from './site-services.ts';
import { toAnswer } from './to-answer.ts';

/**
 * The home page of a language with something else in the place of its tool or of itself. Without scripts: they would
 * look for a page at the visitor's address and not find this one.
 */
export async function homeWith(
  shown: Pick<SiteServices, 'failure' | 'screen'>,
  locale: Locale,
  requester: Requester,
  parts: ServerParts,
): Promise<PageAnswer> {
  const { configuration, origin, site } = parts;
  const { id, host, visitor, signal, log } = requester;
  const spoken = configuration.locales.includes(locale) ? locale : configuration.defaultLocale;
  const request = new Request(origin + pathFor(configuration, spoken, ''), { signal });
  const page = await askSite(
    site,
    request,
    // Without scripts nothing could be done with them.
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
  return toAnswer(
    new Response(html, { status: page.status, headers }),
    site.isDevelopment === true ? null : parts.policy,
  );
}

/**
 * What a visitor sees when a page's step has thrown: the error screen in the page's language, status 500. When
 * that fails as well, a notice.
 * @param message the screen's text, which may be what is broken
 */
export async function errorScreen(
  thrown: unknown,
  message: (locale: Locale) => string,
  locale: Locale,
  requester: Requester,
  parts: ServerParts,
): Promise<PageAnswer> {
  const { id, log } = requester;
  try {
    const screen = { status: 500, message: message(locale) };
    const answer = await homeWith({ failure: null, screen }, locale, requester, parts);
    log.error({ err: thrown }, 'page failed');
    return answer;
  } catch (screenFailure) {
    log.error({ err: new AggregateError([thrown, screenFailure]) }, 'page failed, and its error screen too');
    return failureNotice(id, locale, parts.configuration);
  }
}
