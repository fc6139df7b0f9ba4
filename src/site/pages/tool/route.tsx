import {
  type ActionFunctionArgs,
  data,
  type HeadersArgs,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
} from 'react-router';
import { parseAddress } from '../../addressing/addresses.ts';
import { findModule, siteHas } from '../../addressing/site-pages.ts';
import { loadUsefulPosts, UsefulPosts } from '../../articles/useful-posts.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/page-head.tsx';
import { breadcrumbs, organization, webApplication, webSite } from '../../layout/structured-data.ts';
import { servicesContext } from '../../loaders/load-context.ts';
import { readForm } from '../../loaders/page-context.ts';
import type { SiteServices } from '../../loaders/services.ts';
import { type Packed, pack, unpack } from '../../rendering/packed.ts';
import { TextsProvider, useTranslate } from '../../texts.tsx';
import { ArticlePage } from '../article/article.tsx';
import { type ArticlePageData, loadArticlePage } from '../article/page.ts';
import { sharedText, type ToolAnswer } from './answer.ts';
import { loadFileHelp } from './file-help.ts';
import { loadToolPage, type ToolPage as ToolPageData } from './page.ts';
import { PageQr } from './page-qr.tsx';
import { Faq, Features, Steps } from './sections.tsx';
import { Tool } from './tool.tsx';

export { ErrorBoundary } from '../../layout/error-boundary.tsx';

/** The address's language and, unless an article might be found there, its downloader page. */
function findAny(services: SiteServices, url: URL) {
  const address = parseAddress(url.pathname, services.configuration);
  const module = findModule(services.configuration, address.page);
  if (module !== undefined && !siteHas(services.configuration, address.page, address.locale)) {
    throw data(null, { status: 404 });
  }
  return { address, module };
}

/** The address's language and downloader page; throws what becomes the 404 screen when there is none. */
function findPage(services: SiteServices, url: URL) {
  const { address, module } = findAny(services, url);
  if (module === undefined) throw data(null, { status: 404 });
  return { address, module };
}

async function answerTo(text: string, services: SiteServices, url: URL): Promise<ToolAnswer> {
  const { address, module } = findPage(services, url);
  const answer = await services.resolve(text, address.locale, module);
  return { text, answer };
}

/** Of what a share sheet sent, only the link belongs into the box. */
function withLinkAlone({ text, answer }: ToolAnswer): ToolAnswer {
  const link = 'result' in answer ? answer.result.post.url : answer.error.link;
  return { text: link ?? text, answer };
}

/** The answer that the address asks for, or that the server has to give instead of a file. */
async function givenAnswer(services: SiteServices, url: URL): Promise<ToolAnswer | null> {
  if (services.failure !== null) return { text: '', answer: services.failure };
  const text = sharedText(url.searchParams);
  return text === null ? null : withLinkAlone(await answerTo(text, services, url));
}

/** An answer belongs to one visitor and one moment: nobody may keep the page that shows it. */
function answerInit({ answer }: ToolAnswer): ResponseInit {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if ('error' in answer && answer.error.retry_after_s !== undefined) {
    headers.set('retry-after', String(answer.error.retry_after_s));
  }
  return { status: answer.code, headers };
}

export async function loader({ url, context }: LoaderFunctionArgs) {
  const services = context.get(servicesContext);
  if (services.screen !== null) throw data(services.screen.message, { status: services.screen.status });
  const { address, module } = findAny(services, url);
  if (module === undefined) return loadArticlePage(services, address, url);
  const [useful, help] = await Promise.all([
    loadUsefulPosts(services, address),
    loadFileHelp(services, address),
  ]);
  const tool = {
    kind: 'tool' as const,
    page: pack(loadToolPage(services, address, module)),
    useful,
    help,
  };
  const given = await givenAnswer(services, url);
  return given === null ? { ...tool, given } : data({ ...tool, given }, answerInit(given));
}

/** The form without scripts: the same page again, with the answer in it. */
export async function action({ request, url, context }: ActionFunctionArgs) {
  const services = context.get(servicesContext);
  const { address } = findPage(services, url);
  const form = await readForm(request, address.locale, services);
  const text = form instanceof FormData ? form.get('url') : null;
  const given =
    form instanceof FormData
      ? await answerTo(typeof text === 'string' ? text : '', services, url)
      : { text: '', answer: form };
  return data(given, answerInit(given));
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

/** A downloader page or an article: only the site's configuration and content say which an address is. */
export default function AnyPage() {
  const loaded = useLoaderData<typeof loader>();
  return loaded.kind === 'article' ? <ArticlePage page={loaded} /> : <ToolPage {...loaded} />;
}

type ToolPageProps = Exclude<ReturnType<typeof useLoaderData<typeof loader>>, ArticlePageData>;

function ToolPage({ given, useful, help, ...loaded }: ToolPageProps) {
  const page = unpack(loaded.page as Packed<ToolPageData>);
  const answered = useActionData<typeof action>();
  return (
    <TextsProvider locale={page.locale} messages={page.messages}>
      <ToolHead head={page.head} name={page.title} />
      <Tool
        key={page.path}
        action={page.path}
        formAction={page.formAction}
        title={page.title}
        description={page.description}
        exampleUrl={page.exampleUrl}
        asking={page.asking}
        buttons={page.buttons}
        others={page.others}
        help={help}
        given={answered ?? given}
        namesPlatform={page.namesPlatform}
      />
      <Features section={page.features} />
      <Steps section={page.steps} />
      <Faq section={page.faq} />
      <UsefulPosts {...useful} />
      <PageQr code={page.qr} />
    </TextsProvider>
  );
}

function ToolHead({ head, name }: { head: ToolPageData['head']; name: string }) {
  const site = useDocument();
  const t = useTranslate();
  // The page's own address, also while it shows what a link leads to.
  const own = site.addresses.languages.find(({ locale }) => locale === site.locale);
  const href = own?.canonical ?? site.homePath;
  const way = [{ name: t('menu.home'), href: site.homePath }];
  if (href !== site.homePath) way.push({ name, href });
  const structuredData = [
    organization(site),
    webSite(site),
    webApplication(site, { name: head.title, description: head.description, href }),
    breadcrumbs(site, way),
  ];
  return <PageHead {...head} structuredData={structuredData} />;
}
