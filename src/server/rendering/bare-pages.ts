import type { Failure, FailureKey } from '../../failures/failures.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import { defaultLocale, type Locale, languages } from '../../i18n/languages.ts';
import type { Translate } from '../../i18n/translate.ts';
import { pathFor } from '../../site/addressing/addresses.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { contentSecurityPolicy } from '../http/responses/security-headers.ts';
import { statuses } from '../http/responses/statuses.ts';

/** The texts in a language; in the default one when it is that language's texts that are broken. */
function textsIn(locale: Locale): { spoken: Locale; t: Translate<'errors'> } {
  const open = (spoken: Locale) => ({
    spoken,
    t: translateTo(spoken, 'errors'),
  });
  try {
    return open(locale);
  } catch (thrown) {
    if (locale === defaultLocale) throw thrown;
    return open(defaultLocale);
  }
}

/**
 * A page without layout, styles and scripts, which needs its few texts only.
 * @param body HTML after the title
 */
function barePage(locale: Locale, title: string, body: string): Buffer {
  const { lang, direction } = languages[locale];
  return Buffer.from(
    `<!DOCTYPE html><html lang="${lang}" dir="${direction}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">' +
      `<title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>\n`,
  );
}

const homeLink = (locale: Locale, t: Translate<'errors'>, configuration: SiteConfiguration) =>
  `<a href="${pathFor(configuration, locale, '')}">${t('notice.home')}</a>`;

/** Headers of such a page. */
const bareHeaders = () => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(),
});

/** The last resort when not even the error screen can be rendered. Status 500. */
export function failureNotice(
  requestId: string,
  locale: Locale,
  configuration: SiteConfiguration,
): PageResponse {
  const { spoken, t } = textsIn(locale);
  const home = homeLink(locale, t, configuration);
  const text = `<p>${t('notice.text')}</p><p><code data-request-id>${requestId}</code></p><p>${home}</p>`;
  return { status: 500, headers: bareHeaders(), body: barePage(spoken, t('notice.title'), text) };
}

/** Whether the pages' application gave no page for a document that it should show, not even an error screen. */
export function isWithoutPage({ status, headers }: Response): boolean {
  return status >= 400 && headers.get('content-type')?.startsWith('text/html') !== true;
}

/** Returns the page for a refusal: a few words, without dependencies that could be busy or unreachable. */
export type RefusalPage = (failure: Failure, locale: Locale) => PageResponse;

/** Makes what gives pages for refusals. Each is written once for each language. */
export function refusalPages(configuration: SiteConfiguration): RefusalPage {
  const written = new Map<string, Buffer>();

  function write(key: FailureKey, locale: Locale): Buffer {
    const t = translateTo(locale, 'errors');
    return barePage(locale, t(key), `<p>${homeLink(locale, t, configuration)}</p>`);
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
