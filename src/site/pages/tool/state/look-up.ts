import type { Locale } from '../../../../i18n/languages.ts';
import { type RequestingPage, resolveLink, resolveList } from '../../../browser/downloads/resolve-link.ts';
import { loadLate } from '../../../browser/navigation/route-modules.ts';
import { loadLaterMessages } from '../../../later-messages.tsx';
import { mentionsMany, mentionsSeveral } from '../link-box/typed-links.ts';
import { laterOutcome } from '../result/later-outcome.tsx';
import { resultCatalogues } from '../result/result-parts.tsx';
import { isListed, type ListedLink, laterList, linksIn, severalLinksCatalogues } from './several-links.tsx';
import { failedList, listNamedBy, searchWith } from './tool-response.ts';
import { failureOf, type ToolState } from './tool-state.ts';
import type { OpenManyPosts } from './use-many-posts.ts';

interface LookUpOptions {
  readonly locale: Locale;
  /** The page's message for a text without a link; null for the server's. */
  readonly missing: string | null;
  /** The page's data in resolve requests. */
  readonly asking: RequestingPage;
  /** For more links than a list has. */
  readonly openManyPosts: OpenManyPosts;
  readonly signal: AbortSignal;
}

/**
 * Resolves a text, and loads the code that shows the result.
 * @throws TypeError or SyntaxError without a readable response; the signal's reason
 */
export async function lookUp(
  text: string,
  { locale, missing, asking, openManyPosts, signal }: LookUpOptions,
): Promise<ToolState> {
  if (mentionsMany(text) && (await openManyPosts([text]))) return { kind: 'idle', given: false, text };
  laterOutcome.preload();
  const links = isListed() && mentionsSeveral(text) ? await fetchList(text, locale) : [];
  if (links.length > 1) return { kind: 'list', given: false, text, links };
  const response = await resolveLink(text, locale, signal, asking);
  const address = isListed() ? listNamedBy(response) : null;
  if (address !== null && 'error' in response) {
    const [list] = await Promise.all([
      resolveList(address, locale, signal),
      fetchCode(laterList, severalLinksCatalogues, address, locale),
    ]);
    if ('error' in list)
      return { kind: 'failed', given: false, text, failure: failureOf(failedList(response, list), missing) };
    const posts = list.result.posts.map((link) => ({ link, response: null }));
    return { kind: 'list', given: false, text, links: posts, source: list.result };
  }
  if ('error' in response)
    return { kind: 'failed', given: false, text, failure: failureOf(response, missing) };
  await fetchCode(laterOutcome, resultCatalogues, response.result.post.url, locale);
  return { kind: 'ready', given: false, text, result: response.result };
}

/** Fetches code with its messages. @param link what the page's address names without it */
async function fetchCode(
  part: Pick<typeof laterOutcome | typeof laterList, 'fetch'>,
  catalogues: typeof resultCatalogues,
  link: string,
  locale: Locale,
): Promise<void> {
  const address = location.pathname + searchWith(location.search, link);
  await part.fetch(address);
  // The code may have come in another language.
  await loadLate('messages', () => loadLaterMessages(locale, catalogues()), address);
}

/** The posts of a text, by the code that lists them. */
async function fetchList(text: string, locale: Locale): Promise<ListedLink[]> {
  await fetchCode(laterList, severalLinksCatalogues, text, locale);
  return linksIn(text).map((link) => ({ link, response: null }));
}
