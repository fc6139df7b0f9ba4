import type { Failure, FailureKey } from '../../failures/failures.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { pathFor } from '../../site/addressing/addresses.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { statuses } from '../http/responses/statuses.ts';
import { bareHeaders, barePage } from './failure-notice.ts';

/** Returns the page for a refusal: a few words, without dependencies that could be busy or unreachable. */
export type RefusalPage = (failure: Failure, locale: Locale) => PageResponse;

/** Makes what gives pages for refusals. Each is written once for each language. */
export function refusalPages(configuration: SiteConfiguration): RefusalPage {
  const written = new Map<string, Buffer>();

  function write(key: FailureKey, locale: Locale): Buffer {
    const t = translateTo(locale, 'errors');
    const home = `<a href="${pathFor(configuration, locale, '')}">${t('notice.home')}</a>`;
    return barePage(locale, t(key), `<p>${home}</p>`);
  }

  return ({ key, retryAfterS }, locale) => {
    const name = `${key} ${locale}`;
    const body = written.get(name) ?? write(key, locale);
    written.set(name, body);
    return {
      status: statuses[key],
      headers: {
        ...bareHeaders(),
        'cache-control': 'no-store',
        ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
      },
      body,
    };
  };
}
