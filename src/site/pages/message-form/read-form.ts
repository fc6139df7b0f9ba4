import type { Locale } from '../../../i18n/languages.ts';
import type { ErrorResponse } from '../../api.ts';
import type { SiteServices } from '../../loaders/services.ts';

/** The content types of forms (WHATWG HTML, 4.10.21.5) that can be read. */
const formTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** The fields of a submitted form, or why they could not be read; the page then says so. */
export async function readForm(
  request: Request,
  locale: Locale,
  services: SiteServices,
): Promise<FormData | ErrorResponse> {
  if (services.failure !== null) return services.failure;
  if (!formTypes.test(request.headers.get('content-type') ?? ''))
    return services.refuse('media_type_unsupported', locale);
  try {
    return await request.formData();
  } catch (thrown) {
    // `formData` throws it for a body of another type.
    if (!(thrown instanceof TypeError)) throw thrown;
    return services.refuse('request_invalid', locale);
  }
}
