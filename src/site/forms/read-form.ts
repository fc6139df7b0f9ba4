import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import type { ErrorAnswer } from '../api.ts';
import type { SiteServices } from '../loaders/services.ts';

/** The content types of forms (WHATWG HTML, 4.10.21.5) that can be read. */
const formTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** The fields of a form that was sent, or why there are none; the page then says so. */
export async function readForm(
  request: Request,
  locale: Locale,
  services: SiteServices,
): Promise<FormData | ErrorAnswer> {
  if (services.failure !== null) return services.failure;
  if (!formTypes.test(request.headers.get('content-type') ?? ''))
    return refusal('media_type_unsupported', locale, services);
  try {
    return await request.formData();
  } catch (thrown) {
    // What `formData` throws for a body that is none of its type.
    if (!(thrown instanceof TypeError)) throw thrown;
    return refusal('request_invalid', locale, services);
  }
}

/** A failure that the API has too, in its words. */
function refusal(
  key: 'media_type_unsupported' | 'request_invalid',
  locale: Locale,
  { messages, failures }: SiteServices,
): ErrorAnswer {
  const message = createTranslate<'errors'>(locale, messages(locale, 'errors'))(key);
  return { code: failures.find((one) => one.key === key)?.status ?? 400, error: { key, message } };
}
