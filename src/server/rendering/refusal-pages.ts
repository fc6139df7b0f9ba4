import type { Failure, FailureKey } from '../../failures/failures.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import { type Locale, languages } from '../../i18n/languages.ts';
import { pathFor } from '../../site/addressing/addresses.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { contentSecurityPolicy } from '../http/responses/security-headers.ts';
import { statuses } from '../http/responses/statuses.ts';

/** Returns the page for a refusal: a few words, without dependencies that could be busy or unreachable. */
export type RefusalPage = (failure: Failure, locale: Locale) => PageResponse;

/** Makes what gives pages for refusals. Each is written once for each language. */
export function refusalPages(configuration: SiteConfiguration): RefusalPage {
  const written = new Map<string, Buffer>();

  function write(key: FailureKey, locale: Locale): Buffer {
    const t = translateTo(locale, 'errors');
    const { lang, direction } = languages[locale];
    const text = t(key);
    return Buffer.from(
      `<!DOCTYPE html><html lang="${lang}" dir="${direction}"><head><meta charset="utf-8">` +
        '<meta name="viewport" content="width=device-width, initial-scale=1">' +
        '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">' +
        `<title>${text}</title></head><body><main><h1>${text}</h1>` +
        `<p><a href="${pathFor(configuration, locale, '')}">${t('notice.home')}</a></p></main></body></html>\n`,
    );
  }

  return ({ key, retryAfterS }, locale) => {
    const name = `${key} ${locale}`;
    const body = written.get(name) ?? write(key, locale);
    written.set(name, body);
    return {
      status: statuses[key],
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy(),
        'cache-control': 'no-store',
        ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
      },
      body,
    };
  };
}
