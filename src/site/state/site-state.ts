import type { Article, ArticleSelection, Category } from '../../content/content.ts';
import { languages } from '../../i18n/languages.ts';
import type { Messages } from '../../i18n/translate.ts';
import { linkTo, parseAddress } from '../addressing/addresses.ts';
import { listModules } from '../addressing/site-pages.ts';
import type { DownloaderModule, SiteConfiguration } from '../configuration/configuration.ts';
import { deviceOf } from './device.ts';
import { type System, systemOf } from './system.ts';

/** The part that only a request or a browser knows: never part of a page that others see. */
export interface VisitState {
  /** With its port. */
  readonly host: string;
  readonly protocol: 'http' | 'https';
  /** The whole requested address. */
  readonly url: string;
  readonly isMobile: boolean;
  readonly system: System;
  readonly isX64: boolean;
  readonly isWebp: boolean;
  /** The referring page; empty when there is none, or it is not stated. */
  readonly refererUrl: string;
}

/**
 * The names that browsers on Windows and Linux use for any 64-bit processor. Macs do not state it, and have no other.
 */
const x64 = /\b(?:Win64|WOW64|x64|x86_64|amd64|aarch64|arm64)\b|Macintosh/i;

/** The device according to a `User-Agent`. Without a system it counts as Windows: offers for a system need one. */
export function deviceState(agent: string): Pick<VisitState, 'isMobile' | 'system' | 'isX64'> {
  const system = systemOf(agent);
  return {
    isMobile: deviceOf(agent) === 'mobile',
    system: system === 'other' ? 'win' : system,
    isX64: x64.test(agent),
  };
}

/** The part that only the page knows, once it runs in a browser. */
export interface DocumentState {
  readonly meta: { readonly title: string; readonly description: string; readonly keywords: string };
  /** The HTTP status; null when the browser does not expose it. */
  readonly status: number | null;
  /** The error screen's message; null elsewhere. */
  readonly errorMessage: string | null;
}

/** The site-wide state of the specification (section 3), under its names. */
export type SiteState = ReturnType<typeof siteState>;

/** The inputs of the state. */
interface StateSources {
  readonly configuration: SiteConfiguration;
  readonly dictionary: Messages;
  readonly categories: readonly Category[];
  readonly selection: ArticleSelection;
  readonly article: Article | null;
  /** The features' fields. */
  readonly ofFeatures: Readonly<Record<string, unknown>>;
  readonly visit: VisitState;
}

/** The downloader pages, also those that a dropdown of the menu leads to, by their address. */
function modulesByUrl({ index_modules }: SiteConfiguration): Record<string, DownloaderModule> {
  return Object.fromEntries([...index_modules].map(([page, module]) => [`/${page}`, module]));
}

/** The specification's choice of articles: an empty list is replaced by the other. */
const orElse = <T>(list: readonly T[], other: readonly T[]) => (list.length > 0 ? list : other);

/** The state of the page at `visit.url`, as far as the server knows it. */
export function siteState(sources: StateSources) {
  const { configuration, selection, article, visit } = sources;
  const { pathname } = new URL(visit.url);
  const { locale } = parseAddress(pathname, configuration);
  return {
    ...visit,
    ...sources.ofFeatures,
    locale,
    defaultLocale: configuration.default_locale,
    locales: configuration.locales,
    /** The languages as alternate links name them. */
    hreflangLocales: configuration.locales.map((one) => languages[one].hreflang),
    /** The page's path, as requested. */
    path: pathname,
    homePath: linkTo(configuration, locale, ''),
    domain: configuration.domain,
    logo: '/favicon.svg',
    /** The host of the style sheets: this site. */
    cssDomain: `${visit.protocol}://${visit.host}`,
    indexModules: listModules(configuration),
    /** The downloader pages by their address. */
    modulesByUrl: modulesByUrl(configuration),
    footLinks: configuration.foot_links,
    menusInfo: configuration.menus_info,
    postsInfo: {
      categories: configuration.posts_info.categories,
      fileHelp: configuration.posts_info.file_help,
    },
    /** The article that the page shows. */
    articleInfo: article === null ? null : { slug: article.slug, title: article.title },
    /** Without `hasCategory` no categories are read, and the list is empty. */
    defaultOptions: { hasCategory: configuration.default_options.has_category },
    categories: sources.categories,
    /** Hot articles, else the newest. */
    popularPosts: orElse(selection.hot, selection.recently),
    /** Hot articles, else the first ones. */
    topPosts: orElse(selection.hot, selection.top),
    /** Messages of the layout. */
    dictionary: sources.dictionary,
    abnormalPages: configuration.abnormal_pages,
    /** There are no accounts: always empty. */
    token: '',
    user_info: {},
  };
}
