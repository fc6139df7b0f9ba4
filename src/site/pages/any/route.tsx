import { useEffect } from 'react';
import {
  type ActionFunctionArgs,
  data,
  type HeadersArgs,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router';
import { parseAddress } from '../../addressing/addresses.ts';
import { findModule } from '../../addressing/site-pages.ts';
import { usePrefetch } from '../../browser/navigation/prefetch.ts';
import { isStaticPage, type StaticPage } from '../../configuration/static-pages.ts';
import { servicesContext } from '../../loaders/page-context.ts';
import * as allArticles from '../all-articles/route.tsx';
import * as api from '../api/route.tsx';
import { loadArticlePage } from '../article/loader.ts';
import * as authors from '../authors/route.tsx';
import { laterView } from '../later-view.ts';
import * as legal from '../legal/route.tsx';
import * as messageForm from '../message-form/route.tsx';
import * as siteMap from '../pagelink/route.tsx';
import * as posts from '../posts/route.tsx';
import { handleForm, loadToolPage } from '../tool/loader.ts';
import { ToolPage } from '../tool/tool-page.tsx';
import type { ViewProps } from '../views.tsx';

export { ErrorBoundary } from '../../layout/error/error-screen.tsx';

/** The server's exports of a static page's route. */
interface StaticPageModule {
  loader(request: LoaderFunctionArgs): object | Promise<object>;
  action?(request: ActionFunctionArgs): Promise<unknown>;
}

interface MovablePage {
  readonly route: StaticPageModule;
  readonly view: ViewProps['of'];
}

const legalPage: MovablePage = { route: legal, view: 'legal' };
const formPage: MovablePage = { route: messageForm, view: 'form' };

/**
 * The static pages by name, for those with another address in a language: the site configuration names them, while
 * routes are fixed at build time. On the server only.
 */
const staticPages: Readonly<Record<Exclude<StaticPage, '404'>, MovablePage>> = {
  about: legalPage,
  api: { route: api, view: 'api' },
  author: { route: authors, view: 'authors' },
  contact: formPage,
  'cookies-policy': legalPage,
  dmca: formPage,
  'legal-disclaimer': legalPage,
  pagelink: { route: siteMap, view: 'site-map' },
  posts: { route: posts, view: 'posts' },
  'privacy-policy': legalPage,
  'terms-of-use': legalPage,
  'view-articles': { route: allArticles, view: 'all-articles' },
};

/**
 * The home page and every address without a route of its own: the configuration or the content decides what it shows.
 */
export async function loader(request: LoaderFunctionArgs) {
  const { url, context } = request;
  const services = context.get(servicesContext);
  if (services.screen !== null) throw data(services.screen.message, { status: services.screen.status });
  const address = parseAddress(url.pathname, services.configuration);
  const { page } = address;
  const module = findModule(services.configuration, page);
  if (module !== undefined) return loadToolPage(services, address, module, url);
  if (!isStaticPage(page)) return loadArticlePage(services, address, url);
  if (page === '404') throw data(null, { status: 404 });
  // Its usual address has a route of its own; in this language it has another address.
  const { route, view } = staticPages[page];
  return { ...(await route.loader(request)), kind: 'moved' as const, view };
}

export async function action(request: ActionFunctionArgs) {
  const { configuration } = request.context.get(servicesContext);
  const { page } = parseAddress(request.url.pathname, configuration);
  if (!isStaticPage(page)) return handleForm(request);
  const handleStatic = page === '404' ? undefined : staticPages[page].route.action;
  if (handleStatic === undefined) throw data(null, { status: 405 });
  return handleStatic(request);
}

export function headers({ loaderHeaders, actionHeaders, errorHeaders }: HeadersArgs): Headers {
  if (errorHeaders !== undefined) return errorHeaders;
  return actionHeaders.has('cache-control') ? actionHeaders : loaderHeaders;
}

/** Loads nothing when a navigation only writes the present result into the address, as its state says. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isSame = currentUrl.pathname === nextUrl.pathname && currentUrl.search === nextUrl.search;
  return defaultShouldRevalidate && !isSame;
}

export default function AnyPage() {
  const loaded = useLoaderData<typeof loader>();
  const prefetch = usePrefetch();
  // Links to pages of the view may be in sight, too.
  useEffect(() => {
    if (prefetch === 'viewport') laterView.preload();
  }, [prefetch]);
  if (loaded.kind === 'tool') return <ToolPage {...loaded} />;
  return <laterView.Part of={loaded.kind === 'article' ? 'article' : loaded.view} />;
}
