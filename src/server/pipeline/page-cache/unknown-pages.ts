import type { Content } from '../../../content/content.ts';
import type { Locale } from '../../../i18n/languages.ts';
import { type Address, pathFor } from '../../../site/addressing/addresses.ts';
import { findModule } from '../../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { isStaticPage } from '../../../site/configuration/static-pages.ts';
import { createMemo } from '../../../stores/shared-work/memo.ts';
import { mayBeSlug } from '../../http/request-url.ts';
import type { PageResponse } from '../../http/responses/response.ts';
import { preparePage } from '../../page-cache/prepared-page.ts';
import { isPlain } from './key.ts';

/** A slug that no article can have. */
const noPage = '_no-such-page';

/** One for each language, for some key formats. */
const maxCached = 300;

/** Creates it, with an empty cache. */
export function createUnknownPages(
  configuration: SiteConfiguration,
  content: Pick<Content, 'article'>,
  lifeS: number,
) {
  const kept = createMemo<PageResponse>({
    ...{ max: maxCached, ttlMs: lifeS * 1000 },
    keeps: ({ status }) => status === 404,
  });

  /**
   * Whether an address may match a route of its own, which has a specific error screen. The router accepts any segment
   * before a page's name as a language.
   */
  const isNamed = (segment: string) => isStaticPage(segment) || configuration.featurePages.includes(segment);
  const mayBeOfSite = (page: string) =>
    page.split('/').some(isNamed) || findModule(configuration, page) !== undefined;

  return {
    /** The path of the page that represents all unknown pages of a language. */
    pathOf: (locale: Locale) => pathFor(configuration, locale, noPage),
    /** Whether nothing exists at an address, and its page is the generic one. @param path as requested */
    async has({ locale, page, redirect }: Address, path: string) {
      if (redirect !== undefined || !isPlain(path) || mayBeOfSite(page)) return false;
      return !mayBeSlug(page) || (await content.article(locale, page)) === null;
    },
    /**
     * The cached page.
     * @param key of the representative page
     * @param make renders it
     */
    page: (key: string, make: () => Promise<PageResponse>) =>
      kept.get(key, async () => {
        const response = await make();
        return response.status === 404 ? preparePage(response) : response;
      }),
  };
}

/** Responds to unknown addresses with one page for each language: its content is always the same. */
export type UnknownPages = ReturnType<typeof createUnknownPages>;
