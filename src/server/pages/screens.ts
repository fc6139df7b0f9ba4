import { loadMessages } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { pathFor } from '../../site/addressing/addresses.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import { scriptHashesHeader } from '../../site/rendering/script-hashes.ts';
import type { ServerParts } from '../parts.ts';
import type { PageAnswer, PageExchange } from '../pipeline/exchange.ts';
import { UnknownStep } from '../pipeline/order.ts';
import { toAnswer } from '../pipeline/route/route.ts';
import { askSite } from './ask-site.ts';
import { failureNotice, isWithoutPage } from './failure-notice.ts';
import { siteServices } from './site-services.ts';

/**
 * The home page of a language with something else in the place of its tool or of itself. Without scripts: they would
 * look for a page at the visitor's address and not find this one.
 */
export async function homeWith(
  shown: Pick<SiteServices, 'failure' | 'screen'>,
  locale: Locale,
  asker: Pick<PageExchange, 'id' | 'visitor' | 'signal' | 'log'>,
  parts: ServerParts,
): Promise<PageAnswer> {
  const { configuration, origin, site } = parts;
  const spoken = configuration.locales.includes(locale) ? locale : configuration.defaultLocale;
  const request = new Request(origin + pathFor(configuration, spoken, ''), { signal: asker.signal });
  const page = await askSite(site, request, siteServices(parts, { ...asker, audience: {} }, shown));
  if (isWithoutPage(page)) return failureNotice(asker.id, spoken, configuration);
  const html = (await page.text()).replace(/<script\b[^>]*>.*?<\/script>/gs, '');
  const headers = new Headers(page.headers);
  headers.delete(scriptHashesHeader);
  return toAnswer(new Response(html, { status: page.status, headers }), site.isDevelopment ?? false);
}

/** The text of the error screen for what a step has thrown. */
function messageFor(thrown: unknown, locale: Locale): string {
  const t = createTranslate<'common'>(locale, loadMessages(locale, 'common'));
  return thrown instanceof UnknownStep
    ? t('error.unknown-step', { name: thrown.step })
    : t('error.server.text');
}

/**
 * What a visitor sees when a step of the way has thrown: the error screen in the page's language, status 500. When
 * that fails as well, a notice.
 */
export async function errorScreen(
  thrown: unknown,
  exchange: PageExchange,
  parts: ServerParts,
): Promise<PageAnswer> {
  const { log, address } = exchange;
  try {
    const screen = { status: 500, message: messageFor(thrown, address.locale) };
    const answer = await homeWith({ failure: null, screen }, address.locale, exchange, parts);
    log.error({ err: thrown }, 'page failed');
    return answer;
  } catch (screenFailure) {
    log.error({ err: new AggregateError([thrown, screenFailure]) }, 'page failed, and its error screen too');
    return failureNotice(exchange.id, address.locale, parts.configuration);
  }
}
