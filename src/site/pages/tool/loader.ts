import { type ActionFunctionArgs, data } from 'react-router';
import type { DatabaseUnavailable } from '../../../stores/contracts/database.ts';
import { type Address, parseAddress, pathFor } from '../../addressing/addresses.ts';
import { findModule, siteHas } from '../../addressing/site-pages.ts';
import { loadUsefulPosts, type UsefulPostsData } from '../../articles/lists/useful-posts.tsx';
import type { Device } from '../../browser/device/device.ts';
import type { DownloaderModule } from '../../configuration/configuration.ts';
import { servicesContext } from '../../loaders/page-context.ts';
import type { SiteServices } from '../../loaders/services.ts';
import { readForm } from '../message-form/read-form.ts';
import { outcomeMessages, type ToolPageData, toolPageData } from './page-data.ts';
import { resolveAll } from './state/resolve-all.ts';
import { isListed, linksIn } from './state/several-links.tsx';
import { failedList, listNamedBy, sharedText, type ToolResponse } from './state/tool-response.ts';

/** Paths of articles that say where a downloaded file is found, for the devices that have one in the page's language. */
export type FileHelp = Readonly<Partial<Record<Device, string>>>;

/** Finds the configured articles that the page's language has. */
async function loadFileHelp(
  { configuration, content }: Pick<SiteServices, 'configuration' | 'content'>,
  { locale }: Address,
): Promise<FileHelp> {
  const found = await Promise.all(
    Object.entries(configuration.posts_info.file_help).map(async ([device, key]) => {
      const article = (await content.translations(key)).find((one) => one.locale === locale);
      return article === undefined ? [] : [[device, pathFor(configuration, locale, article.slug)] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

/**
 * Refuses the page in a language without it.
 * @throws the 404 response
 */
function refuseElsewhere({ configuration }: SiteServices, { page, locale }: Address): void {
  if (!siteHas(configuration, page, locale)) throw data(null, { status: 404 });
}

async function resolveText(
  text: string,
  services: SiteServices,
  { locale }: Address,
  module: DownloaderModule,
  again = false,
): Promise<ToolResponse> {
  const links = linksIn(text);
  const messages = () => outcomeMessages(services, locale);
  const resolve = (asked: string) => services.resolve(asked, locale, module, again);
  if (links.length > 1)
    return { text, response: null, list: await resolveAll(links, resolve), messages: messages() };
  const response = await resolve(text);
  if ('result' in response) return { text, response, messages: messages() };
  const address = isListed() ? listNamedBy(response) : null;
  if (address === null) return { text, response };
  const list = await services.list(address, locale);
  if ('error' in list) return { text, response: failedList(response, list) };
  const posts = await resolveAll(list.result.posts, resolve);
  return { text, response: null, list: posts, source: list.result, messages: messages() };
}

/** Keeps only the link of a share sheet's text for the box. */
function withLinkAlone(given: ToolResponse): ToolResponse {
  const { text, response } = given;
  if (response === null) return given;
  const link = 'result' in response ? response.result.post.url : response.error.link;
  return { ...given, text: link ?? text };
}

/** The response that the address requests, or that the server gives instead of a file. */
async function resolveGiven(
  services: SiteServices,
  address: Address,
  module: DownloaderModule,
  url: URL,
): Promise<ToolResponse | null> {
  if (services.failure !== null) return { text: '', response: services.failure };
  const text = sharedText(url.searchParams);
  if (text === null) return null;
  if (!services.hasReader) return { text, response: null };
  return withLinkAlone(await resolveText(text, services, address, module));
}

/** A response belongs to one visitor and one moment: the page that shows it must not be cached. */
function responseInit({ response }: ToolResponse): ResponseInit {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (response !== null && 'error' in response && response.error.retry_after_s !== undefined) {
    headers.set('retry-after', String(response.error.retry_after_s));
  }
  return { status: response?.code ?? 200, headers };
}

const databaseUnavailable: DatabaseUnavailable['name'] = 'DatabaseUnavailable';

function isDatabaseAway(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === databaseUnavailable || isDatabaseAway(thrown.cause));
}

/** The page's data from the database; null while that is unreachable: the tool itself does not need it. */
async function loadArticles(services: SiteServices, address: Address) {
  try {
    const [useful, help] = await Promise.all([
      loadUsefulPosts(services, address),
      loadFileHelp(services, address),
    ]);
    return { useful, help };
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    services.reportError(error);
    return null;
  }
}

/** The parts of a downloader page. */
export interface LoadedToolPage {
  readonly kind: 'tool';
  readonly page: ToolPageData;
  readonly useful: UsefulPostsData;
  /** By device, where a saved file is found. */
  readonly help: Awaited<ReturnType<typeof loadFileHelp>>;
  /** The outcome of a link in the request; null without one. */
  readonly given: ToolResponse | null;
}

const withoutArticles: Pick<LoadedToolPage, 'useful' | 'help'> = {
  useful: { title: '', all: null, cards: [] },
  help: {},
};

/** The data of a downloader page. @throws the 404 response in a language without the page */
export async function loadToolPage(
  services: SiteServices,
  address: Address,
  module: DownloaderModule,
  url: URL,
) {
  refuseElsewhere(services, address);
  const [articles, given] = await Promise.all([
    loadArticles(services, address),
    resolveGiven(services, address, module, url),
  ]);
  const page = toolPageData(services, address, module);
  const loaded: LoadedToolPage = { kind: 'tool', page, ...(articles ?? withoutArticles), given };
  if (given !== null) return data(loaded, responseInit(given));
  return articles === null ? data(loaded, { headers: { 'cache-control': 'no-store' } }) : loaded;
}

const answer = (given: ToolResponse) => data(given, responseInit(given));

/**
 * The form without scripts: the same page again, with the response.
 * @throws the 404 response when there is no downloader page
 */
export async function handleForm({ request, url, context }: ActionFunctionArgs) {
  const services = context.get(servicesContext);
  const address = parseAddress(url.pathname, services.configuration);
  const module = findModule(services.configuration, address.page);
  if (module === undefined) throw data(null, { status: 404 });
  refuseElsewhere(services, address);
  const form = await readForm(request, address.locale, services);
  if (!(form instanceof FormData)) return answer({ text: '', response: form });
  const text = form.get('url');
  const asked = typeof text === 'string' ? text : '';
  return answer(await resolveText(asked, services, address, module, form.has('again')));
}
