import { data, type LoaderFunctionArgs } from 'react-router';
import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { type Address, parseAddress } from '../addressing/addresses.ts';
import { siteHas } from '../addressing/site-pages.ts';
import type { StaticPage } from '../addressing/static-pages.ts';
import type { ErrorAnswer } from '../api.ts';
import { servicesContext } from './load-context.ts';
import type { SiteServices } from './services.ts';

/** What a page's loader begins with. */
export interface PageRequest {
  readonly services: SiteServices;
  readonly address: Address;
}

/**
 * The services and the address of a request to a static page or to a page below one (`posts/{id}`).
 * @throws what becomes the 404 screen when the prefix is no language of the site, or the page is kept from it
 */
export function openStaticPage(
  { url, context }: Pick<LoaderFunctionArgs, 'url' | 'context'>,
  ...names: readonly StaticPage[]
): PageRequest {
  const services = context.get(servicesContext);
  const address = parseAddress(url.pathname, services.configuration);
  const [name = ''] = address.page.split('/', 1);
  if (
    !(names as readonly string[]).includes(name) ||
    !siteHas(services.configuration, name, address.locale)
  ) {
    throw data(null, { status: 404 });
  }
  return { services, address };
}

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
