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
import { lazyPart } from '../../browser/navigation/lazy-part.tsx';
import { isStaticPage } from '../../configuration/static-pages.ts';
import { servicesContext } from '../../loaders/load-context.ts';
import { loadArticlePage } from '../article/loader.ts';
import { handleForm, loadToolPage } from '../tool/loader.ts';
import { ToolPage } from '../tool/tool-page.tsx';
import { staticPages } from './static-pages.ts';

const loadArticle = async () => (await import('../article/article-page.tsx')).ArticlePage;

/** Most visitors come for a downloader. */
const article = lazyPart('article', loadArticle, import.meta.env.SSR ? await loadArticle() : null);

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
  // Its usual address has a route of its own; in this language it has another address.
  return { ...(await staticPages[page].loader(request)), kind: 'moved' as const, moved: page };
}

export async function action(request: ActionFunctionArgs) {
  const { configuration } = request.context.get(servicesContext);
  const { page } = parseAddress(request.url.pathname, configuration);
  if (!isStaticPage(page)) return handleForm(request);
  const answerStatic = staticPages[page].action;
  if (answerStatic === undefined) throw data(null, { status: 405 });
  return answerStatic(request);
}

export function headers({ loaderHeaders, actionHeaders, errorHeaders }: HeadersArgs): Headers {
  if (errorHeaders !== undefined) return errorHeaders;
  return actionHeaders.has('cache-control') ? actionHeaders : loaderHeaders;
}

/** Not for a navigation that only writes the present result into the address; its state says so. */
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
  if (loaded.kind === 'tool') return <ToolPage {...loaded} />;
  if (loaded.kind === 'article') return <article.Part page={loaded} />;
  // It finds its own loader's data as that of this route.
  const { default: StaticPage } = staticPages[loaded.moved];
  return <StaticPage />;
}
