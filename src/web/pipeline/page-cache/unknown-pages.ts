import { LRUCache } from 'lru-cache';
import type { Content } from '../../../content/content.ts';
import type { Locale } from '../../../i18n/languages.ts';
import { type Address, pathFor } from '../../addressing/addresses.ts';
import { findModule } from '../../addressing/site-pages.ts';
import type { SiteConfiguration } from '../../configuration/configuration.ts';
import { isStaticPage } from '../../configuration/static-pages.ts';
import type { PageAnswer } from '../../http/answers/answer.ts';
import { preparePage } from '../../page-cache/prepared-page.ts';
import { isPlain } from './key.ts';

/** No article can have it. */
const noPage = '_no-such-page';

/** What an article's address looks like. */
const slugPattern = /^[a-z0-9-]{1,100}$/;

/** As many as there are languages, for some key formats. */
const mostKept = 300;

interface UnknownPagesOptions {
  readonly configuration: SiteConfiguration;
  readonly content: Pick<Content, 'article'>;
  readonly lifeS: number;
}

/** Answers addresses that nobody has with one page for each language: it says the same for all of them. */
export interface UnknownPages {
  /** Where the page is found that stands for all of a language. */
  pathOf(locale: Locale): string;
  /**
   * Whether nothing is found at an address, and nothing else is said there than at other such addresses.
   * @param path as it was asked
   */
  has(address: Address, path: string): Promise<boolean>;
  /**
   * The kept page.
   * @param key of the page that stands for all
   * @param make renders it
   */
  page(key: string, make: () => Promise<PageAnswer>): Promise<PageAnswer>;
}

/** Makes it, with nothing kept yet. */
export function createUnknownPages({ configuration, content, lifeS }: UnknownPagesOptions): UnknownPages {
  const kept = new LRUCache<string, Promise<PageAnswer>>({ max: mostKept, ttl: lifeS * 1000 });

  /**
   * Whether an address may lead to a route of its own, which has the screen for its own reasons. The router takes any
   * segment in front of a page's name for a language.
   */
  const isNamed = (segment: string) => isStaticPage(segment) || configuration.featurePages.includes(segment);
  const mayBeOfSite = (page: string) =>
    page.split('/').some(isNamed) || findModule(configuration, page) !== undefined;

  return {
    pathOf: (locale) => pathFor(configuration, locale, noPage),
    async has({ locale, page, redirect }, path) {
      if (redirect !== undefined || !isPlain(path) || mayBeOfSite(page)) return false;
      return !slugPattern.test(page) || (await content.article(locale, page)) === null;
    },
    page(key, make) {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = make().then((answer) => (answer.status === 404 ? preparePage(answer) : answer));
      kept.set(key, made);
      const forget = () => {
        if (kept.peek(key) === made) kept.delete(key);
      };
      made.then(({ status }) => status !== 404 && forget(), forget);
      return made;
    },
  };
}
