import { z } from 'zod';
import { type Locale, locales } from '../i18n/languages.ts';

/** The options of a post that a downloader page may offer, in the order in which it shows them. */
const downloadButton = z.enum(['mp4', 'mp4-hd', 'mp3', 'm4a']);

/** A path of this site without its language, or an address of another site. */
const linkUrl = z.string().refine((url) => /^\/(?![/\\])/.test(url) || /^https:\/\//.test(url), {
  message: 'must be a path that starts with one "/" or an https:// address',
});

/** The name of a catalogue page or of a message; never a text. */
const catalogueName = z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'must be a name in lower case');

const menuLink = z.strictObject({
  url: linkUrl,
  /** Message of the `common` catalogue page, under `menu.`. */
  text: catalogueName,
  /** Further paths on which this item is the present one. */
  map_url: z.array(linkUrl).optional(),
  open_new_page: z.boolean().default(false),
});

const menuItem = menuLink.extend({ children: z.array(menuLink).optional() });

const footLink = z.strictObject({
  url: linkUrl,
  /** Message of the `common` catalogue page, under `menu.`. */
  text: catalogueName,
  extra_attr: z.record(z.string(), z.string()).optional(),
});

const downloadInfo = z.strictObject({
  media: z.literal('tiktok').default('tiktok'),
  /** A link that works, for visitors who want to try. */
  example_url: z.url({ protocol: /^https$/ }),
  download_btns: z.array(downloadButton).min(1),
  extraParams: z.array(z.strictObject({ key: z.string(), value: z.unknown() })).default([]),
});

const downloaderModule = z.strictObject({
  /** Path of one segment, without language. */
  url: z
    .string()
    .regex(/^\/[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be one segment in lower case, like "/tiktok-downloader"'),
  /** Catalogue page with the texts. */
  lang_file: catalogueName,
  elk_key: catalogueName.optional(),
  /** Message of the `common` catalogue page, under `menu.`: the page's short name in menus. */
  text: catalogueName,
  /** Icon names; the n-th feature's texts are `features.{n}.title` and `features.{n}.text`. */
  features: z
    .array(z.enum(['shield', 'sparkles', 'clock', 'music', 'phone', 'images', 'film', 'globe']))
    .default([]),
  /** Number of help steps. */
  helps: z.int().min(0).max(10).default(0),
  /** Number of questions. */
  faq: z.int().min(0).max(10).default(0),
  product_dialog_info: z.unknown().optional(),
  download_info: downloadInfo,
});

const schema = z
  .strictObject({
    domain: z.hostname(),
    locales: z.array(z.enum(locales)).min(1),
    default_locale: z.enum(locales),
    menus_info: z.array(menuItem),
    ad_info: z.unknown().optional(),
    index_modules: z.array(downloaderModule),
    /** The home page's own module. */
    index_info: downloaderModule.omit({ url: true }),
    foot_links: z.array(z.array(footLink)).max(4).default([]),
  })
  .superRefine((file, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (!file.locales.includes(file.default_locale)) refuse(['default_locale'], 'must be one of "locales"');
    refuseRepeated(file.locales, (at, value) => refuse(['locales', at], `"${value}" stands here twice`));
    const urls = file.index_modules.map((module) => module.url);
    refuseRepeated(urls, (at, value) => refuse(['index_modules', at, 'url'], `"${value}" stands here twice`));
    urls.forEach((url, at) => {
      if (file.locales.some((locale) => `/${locale}` === url)) {
        refuse(['index_modules', at, 'url'], `"${url}" is the address of a language`);
      }
    });
    [file.index_info, ...file.index_modules].forEach((module, at) => {
      refuseRepeated(module.download_info.download_btns, (index, value) =>
        refuse(
          [
            ...(at === 0 ? ['index_info'] : ['index_modules', at - 1]),
            'download_info',
            'download_btns',
            index,
          ],
          `"${value}" stands here twice`,
        ),
      );
    });
  });

function refuseRepeated(values: readonly string[], refuse: (at: number, value: string) => void): void {
  values.forEach((value, at) => {
    if (values.indexOf(value) !== at) refuse(at, value);
  });
}

type File = z.infer<typeof schema>;

/** One downloader page, or the home page (whose `page` is empty). */
export interface DownloaderModule {
  /** The address without language and slashes; empty for the home page. */
  readonly page: string;
  readonly catalogue: string;
  /** Message of `common` under `menu.`. */
  readonly text: string;
  readonly features: File['index_info']['features'];
  readonly helps: number;
  readonly faq: number;
  readonly exampleUrl: string;
  readonly buttons: readonly DownloadButton[];
}

export type DownloadButton = z.infer<typeof downloadButton>;
type MenuItem = z.infer<typeof menuItem>;
type FootLink = z.infer<typeof footLink>;
export type FeatureIcon = File['index_info']['features'][number];

/** The site configuration, checked; the file's own names are in `site.config.json`. */
export interface SiteConfiguration {
  readonly domain: string;
  readonly locales: readonly Locale[];
  readonly defaultLocale: Locale;
  readonly menu: readonly MenuItem[];
  readonly footLinks: readonly (readonly FootLink[])[];
  readonly home: DownloaderModule;
  /** The downloader pages by their address without slashes. */
  readonly modules: ReadonlyMap<string, DownloaderModule>;
}

/**
 * Checks the site configuration file.
 * @param json the parsed file
 * @throws Error with one line for each mistake, each naming its place
 */
export function parseSiteConfiguration(json: unknown): SiteConfiguration {
  const result = schema.safeParse(json);
  if (!result.success) {
    const mistakes = result.error.issues.map(
      (issue) => `  ${issue.path.join('.') || '(file)'}: ${issue.message}`,
    );
    throw new Error(`The site configuration is wrong:\n${mistakes.join('\n')}`, { cause: result.error });
  }
  const file = result.data;
  return {
    domain: file.domain,
    locales: file.locales,
    defaultLocale: file.default_locale,
    menu: file.menus_info,
    footLinks: file.foot_links,
    home: toModule('', file.index_info),
    modules: new Map(
      file.index_modules.map(({ url, ...module }) => [url.slice(1), toModule(url.slice(1), module)]),
    ),
  };
}

function toModule(page: string, module: File['index_info']): DownloaderModule {
  return {
    page,
    catalogue: module.lang_file,
    text: module.text,
    features: module.features,
    helps: module.helps,
    faq: module.faq,
    exampleUrl: module.download_info.example_url,
    buttons: module.download_info.download_btns,
  };
}

/** The downloader page at an address, or undefined. */
export function findModule(configuration: SiteConfiguration, page: string): DownloaderModule | undefined {
  return page === '' ? configuration.home : configuration.modules.get(page);
}

/** Pages that every site has, whatever its configuration. */
const staticPages: readonly string[] = ['api'];

/** Whether there is a page at an address without language and slashes. */
export function siteHas(configuration: SiteConfiguration, page: string): boolean {
  return findModule(configuration, page) !== undefined || staticPages.includes(page);
}
