import {
  data,
  type HeadersArgs,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router';
import { parseAddress } from '../../addressing/addresses.ts';
import { findModule } from '../../addressing/site-pages.ts';
import { laterPart } from '../../browser/later-part.tsx';
import { servicesContext } from '../../loaders/load-context.ts';
import { loadArticlePage } from '../article/loader.ts';
import { loadToolPage } from '../tool/loader.ts';
import { ToolPage } from '../tool/tool-page.tsx';

const loadArticle = async () => (await import('../article/article-page.tsx')).ArticlePage;

/** Most visitors come for a downloader. */
const article = laterPart('article', loadArticle, import.meta.env.SSR ? await loadArticle() : null);

export { ErrorBoundary } from '../../layout/error-boundary.tsx';
export { answerForm as action } from '../tool/loader.ts';

/** The home page and every address that no other route has: the configuration or the content says what is there. */
export async function loader({ url, context }: LoaderFunctionArgs) {
  const services = context.get(servicesContext);
  if (services.screen !== null) throw data(services.screen.message, { status: services.screen.status });
  const address = parseAddress(url.pathname, services.configuration);
  const module = findModule(services.configuration, address.page);
  return module === undefined
    ? loadArticlePage(services, address, url)
    : loadToolPage(services, address, module, url);
}

export function headers({ loaderHeaders, actionHeaders, errorHeaders }: HeadersArgs): Headers {
  if (errorHeaders !== undefined) return errorHeaders;
  return actionHeaders.has('cache-control') ? actionHeaders : loaderHeaders;
}

/** Not for a result that the page has already and only writes into its address, which it says with the navigation. */
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
  return loaded.kind === 'article' ? <article.Part page={loaded} /> : <ToolPage {...loaded} />;
}
