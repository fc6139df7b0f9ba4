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
import { isStaticPage } from '../../configuration/static-pages.ts';
import { servicesContext } from '../../loaders/load-context.ts';
import { loadArticlePage } from '../article/loader.ts';
import { laterView } from '../later-view.ts';
import { handleForm, loadToolPage } from '../tool/loader.ts';
import { ToolPage } from '../tool/tool-page.tsx';
import { staticPages } from './static-pages.ts';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';

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
