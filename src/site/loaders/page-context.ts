import { createContext, data, type LoaderFunctionArgs, RouterContextProvider } from 'react-router';
import type { CataloguePage } from '../../i18n/languages.ts';
import { createTranslate, type Translate } from '../../i18n/translate.ts';
import { type Address, parseAddress } from '../addressing/addresses.ts';
import { siteHas } from '../addressing/site-pages.ts';
import type { SiteServices } from './services.ts';

/** How loaders and actions reach the server. */
export const servicesContext = createContext<SiteServices>();

/** Wraps the services of one request for React Router. */
export function createLoadContext(services: SiteServices): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  return context;
}

/** Services and address that every page's loader starts from. */
export interface PageContext {
  readonly services: SiteServices;
  readonly address: Address;
}

/**
 * The services and the address of a request to a static page, to a page below one (`posts/{id}`), or to a feature's
 * page.
 * @param names of the pages that the route shows
 * @throws the 404 response when the prefix is no language of the site, or the language lacks the page
 */
export function openStaticPage(
  { url, context }: Pick<LoaderFunctionArgs, 'url' | 'context'>,
  ...names: readonly string[]
): PageContext {
  const services = context.get(servicesContext);
  const address = parseAddress(url.pathname, services.configuration);
  const [name = ''] = address.page.split('/', 1);
  if (!names.includes(name) || !siteHas(services.configuration, name, address.locale)) {
    throw data(null, { status: 404 });
  }
  return { services, address };
}

/**
 * The messages of some catalogue pages, for texts that never change on a page: the loader returns them translated, so
 * that the browser needs no catalogue for them. Components translate what changes during use (`useTranslate`).
 */
export function translateFor<P extends CataloguePage>(
  { services, address: { locale } }: PageContext,
  ...pages: readonly P[]
): Translate<P> {
  const messages = Object.assign({}, ...pages.map((page) => services.messages(locale, page)));
  return createTranslate<P>(locale, messages);
}
