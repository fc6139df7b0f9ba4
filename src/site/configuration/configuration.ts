import type { Locale } from '../../i18n/languages.ts';
import {
  type FeatureConfiguration,
  type FeatureConfigurations,
  type FeatureModules,
  pageKey,
} from './feature-configuration.ts';
import { type Serving, toServing } from './serving.ts';
import { type SiteFile, siteFileSchema } from './site-file.ts';
import type { AbnormalPages } from './static-pages.ts';
import { toVisitorConfiguration, type VisitorConfiguration } from './visitor-fields.ts';

/** One downloader page, or the home page (whose `page` is empty). */
export interface DownloaderModule extends FeatureModules {
  /** The address without language and slashes; empty for the home page. */
  readonly page: string;
  readonly catalogue: string;
  /** Message of `common` under `menu.`. */
  readonly text: string;
  readonly features: SiteFile['index_info']['features'];
  readonly helps: number;
  readonly faq: number;
  readonly exampleUrl: string;
  /** Parameters that its script sends with a link. */
  readonly extraParameters: Readonly<Record<string, string | number | boolean>>;
  /** Names the page in statistics. */
  readonly pageKey: string;
  readonly buttons: readonly DownloadButton[];
  /** The only languages that have it; undefined for all. */
  readonly locales: readonly Locale[] | undefined;
}

export type DownloadButton = SiteFile['index_info']['download_info']['download_btns'][number];
export type FeatureIcon = SiteFile['index_info']['features'][number];

/** The site configuration, checked; the file's own names are in `site.config.json`. */
export interface SiteConfiguration extends FeatureConfigurations {
  readonly serving: Serving;
  readonly visitors: VisitorConfiguration;
  readonly domain: string;
  /** Further names under which the site is looked at, in lower case. */
  readonly hosts: readonly string[];
  /** The name that visitors see: the brand, or else the domain. */
  readonly name: string;
  readonly locales: readonly Locale[];
  readonly defaultLocale: Locale;
  readonly menu: Readonly<SiteFile['menus_info']>;
  readonly footColumns: Readonly<SiteFile['foot_links']>;
  /** Static pages that only some languages have. */
  /** Names of the pages that features add, as their addresses say them. They stand at one address in all languages. */
  readonly featurePages: readonly string[];
  readonly restrictedPages: ReadonlyMap<string, readonly Locale[]>;
  readonly abnormalPages: AbnormalPages;
  /** Origins. */
  readonly preconnect: readonly string[];
  readonly operator: string;
  /** Where the operator can be served; null when nobody says it. */
  readonly operatorAddress: string | null;
  /** Year in which the site began; null when nobody says it. */
  readonly since: number | null;
  /** The agent for copyright notices; null when there is none. */
  readonly dmcaAgent: string | null;
  /** Fields that say who runs the site, and are missing in the file. */
  readonly unnamed: readonly string[];
  readonly contactEmail: string;
  /** Where the program's source is published; null when not stated. */
  readonly sourceUrl: string | null;
  readonly partnerDomains: readonly string[];
  /** Whether the site shows ads or promotions. */
  readonly hasAds: boolean;
  /** Uids or slugs; the n-th has the page title `category.{n}.head.title`. */
  readonly listedCategories: readonly string[];
  /** Without it, no categories are read: lists of articles offer none. */
  readonly hasCategories: boolean;
  /** Keys of articles. */
  readonly fileHelp: SiteFile['posts_info']['file_help'];
  readonly home: DownloaderModule;
  /** The downloader pages by their address without slashes. */
  readonly modules: ReadonlyMap<string, DownloaderModule>;
}

/**
 * Checks the site configuration file.
 * @param json the parsed file
 * @param features whose fields it may have; each reads its own
 * @param featurePages names of the pages that features add
 * @throws Error with one line for each mistake, each naming its place
 */
export function parseConfiguration(
  json: unknown,
  features: readonly FeatureConfiguration[],
  featurePages: readonly string[],
): SiteConfiguration {
  const result = siteFileSchema(features, featurePages).safeParse(json);
  if (!result.success) {
    const mistakes = result.error.issues.map(
      (issue) => `  ${issue.path.join('.') || '(file)'}: ${issue.message}`,
    );
    throw new Error(`The site configuration is wrong:\n${mistakes.join('\n')}`, { cause: result.error });
  }
  const file = result.data as SiteFile & Record<string, unknown>;
  const core = {
    serving: toServing(file),
    visitors: toVisitorConfiguration(file),
    domain: file.domain,
    hosts: file.hosts,
    name: file.brand ?? file.domain,
    locales: file.locales,
    featurePages,
    defaultLocale: file.default_locale,
    menu: file.menus_info,
    footColumns: file.foot_links,
    restrictedPages: new Map(
      Object.entries(file.restricted_pages).map(([url, only]) => [url.slice(1), only]),
    ),
    abnormalPages: withoutSlashes(file.abnormal_pages),
    preconnect: file.preconnect,
    operator: file.operator ?? file.domain,
    operatorAddress: file.operator_address ?? null,
    since: file.since ?? null,
    dmcaAgent: file.dmca_agent ?? null,
    unnamed: operatorFields.filter((field) => file[field] === undefined),
    contactEmail: file.contact_email ?? `contact@${file.domain}`,
    sourceUrl: file.source_url ?? null,
    partnerDomains: file.partner_domains,
    listedCategories: file.posts_info.categories,
    hasCategories: file.default_options.has_category,
    fileHelp: file.posts_info.file_help,
    home: toModule('', file.index_info, file, features),
    modules: new Map(
      file.index_modules.map(({ url, ...module }) => [
        url.slice(1),
        toModule(url.slice(1), module, file, features),
      ]),
    ),
  };
  // Each feature gives the fields that it has declared.
  const whole = Object.assign(core, ...features.map(({ read }) => read?.(file))) as Omit<
    SiteConfiguration,
    'hasAds'
  >;
  return { ...whole, hasAds: features.some(({ hasAds }) => hasAds?.(whole) === true) };
}

/** Facts that the law of many countries requires a site to state. */
const operatorFields = ['operator', 'operator_address', 'since', 'contact_email'] as const;

/** Paths in the form of page names: without the leading slash. */
function withoutSlashes(pages: SiteFile['abnormal_pages']): AbnormalPages {
  const name = (url: string) => (url.startsWith('/') ? url.slice(1) : url);
  return Object.fromEntries(
    Object.entries(pages).map(([locale, addresses]) => [
      locale,
      Object.fromEntries(Object.entries(addresses).map(([url, address]) => [name(url), name(address)])),
    ]),
  );
}

function toModule(
  page: string,
  module: SiteFile['index_info'] & { readonly locales?: readonly Locale[] | undefined },
  file: Record<string, unknown>,
  features: readonly FeatureConfiguration[],
): DownloaderModule {
  const key = pageKey({ url: page === '' ? '' : `/${page}`, elk_key: module.elk_key });
  const core = {
    page,
    catalogue: module.lang_file,
    text: module.text,
    features: module.features,
    helps: module.helps,
    faq: module.faq,
    exampleUrl: module.download_info.example_url,
    extraParameters: Object.fromEntries(
      module.download_info.extraParams.map(({ key, value }) => [key, value]),
    ),
    pageKey: key,
    buttons: module.download_info.download_btns,
    locales: module.locales,
  };
  const own = module as Parameters<NonNullable<FeatureConfiguration['readModule']>>[0];
  return Object.assign(
    core,
    ...features.map(({ readModule }) =>
      readModule?.(own, key, file as Parameters<NonNullable<typeof readModule>>[2]),
    ),
  ) as DownloaderModule;
}
