import type { z } from 'zod';
import { checkPages, type FileModule, fileSchema, type Refuse, type SiteFile } from './site-file.ts';

/** Names a page in statistics and to partners. */
export const pageKey = ({ url = '', elk_key }: Pick<FileModule, 'url' | 'elk_key'>): string =>
  elk_key ?? (url.slice(1) || 'index');

/** Facts that the law of many countries requires a site to state. */
const operatorFields = ['operator', 'operator_address', 'since', 'contact_email'] as const;

const toModule = (module: FileModule) => ({
  ...module,
  /** The address without language and slashes; empty for the home page. */
  page: module.url?.slice(1) ?? '',
  elk_key: pageKey(module),
});

/** Adds values derived from several fields. Names in camel case are in no file. */
const withDerived = (file: SiteFile, featurePages: readonly string[]) => ({
  ...file,
  /** The name that visitors see. */
  brand: file.brand ?? file.domain,
  operator: file.operator ?? file.domain,
  contact_email: file.contact_email ?? `contact@${file.domain}`,
  /** Fields that say who runs the site, and are missing in the file. */
  unnamed: operatorFields.filter((field) => file[field] === undefined),
  /** Names of the pages that features add, as their addresses say them. They stand at one address in all languages. */
  featurePages,
  index_info: toModule(file.index_info),
  /** The downloader pages by their address without slashes. */
  index_modules: new Map(file.index_modules.map((module) => [module.url.slice(1), toModule(module)])),
});

/** One downloader page, or the home page (whose `page` is empty). */
export type DownloaderModule = Readonly<ReturnType<typeof toModule>>;

export type DownloadButton = DownloaderModule['download_info']['download_btns'][number];
export type FeatureIcon = DownloaderModule['features'][number];

/** The site configuration, checked, under the names of `site.config.json`. Features read their own fields with `of`. */
export type SiteConfiguration = Readonly<ReturnType<typeof withDerived>> & {
  /** Whether the site shows ads or promotions. */
  readonly hasAds: boolean;
};

type Shape = Record<string, z.ZodType>;
type Read<S extends Shape> = { readonly [Name in keyof S]: z.output<S[Name]> };

interface Definition<File extends Shape, Module extends Shape, Download extends Shape> {
  /** Fields of the file. */
  readonly fields?: File;
  /** Fields of a downloader page. */
  readonly moduleFields?: Module;
  /** Fields of a downloader page's `download_info`. */
  readonly downloadFields?: Download;
  /** Refuses fields of one `download_info` that do not fit each other. */
  checkDownload?(fields: Read<Download>, context: z.RefinementCtx): void;
  /** Refuses fields that do not fit each other. */
  check?(
    file: Read<File> & {
      readonly index_info: FileModule & Read<Module>;
      readonly index_modules: readonly (FileModule & Read<Module>)[];
    },
    refuse: Refuse,
  ): void;
  /** Whether the site shows ads or promotions. Pages then do not promise the contrary. */
  hasAds?(configuration: SiteConfiguration): boolean;
}

/** A feature's fields of the site configuration file. */
export interface FeatureConfiguration extends Definition<Shape, Shape, Shape> {}

/** Declares a feature's fields, and reads them as what their schemas give. */
export const defineConfiguration = <
  File extends Shape = Record<never, never>,
  Module extends Shape = Record<never, never>,
  Download extends Shape = Record<never, never>,
>(
  definition: Definition<File, Module, Download>,
) => ({
  // The configuration is made with these very schemas.
  ...(definition as unknown as FeatureConfiguration),
  of: (configuration: SiteConfiguration) => configuration as unknown as Read<File>,
  ofModule: (module: DownloaderModule) =>
    module as unknown as Read<Module> & { readonly download_info: Read<Download> },
});

/**
 * Checks the site configuration file.
 * @param json the parsed file
 * @param features whose fields it may have
 * @param featurePages names of the pages that features add
 * @throws Error with one line for each mistake, each naming its place
 */
export function parseConfiguration(
  json: unknown,
  features: readonly FeatureConfiguration[],
  featurePages: readonly string[],
): SiteConfiguration {
  const schema = fileSchema(features).superRefine((file, context) => {
    const refuse: Refuse = (path, message) => context.addIssue({ code: 'custom', path, message });
    checkPages(file, featurePages, refuse);
    for (const { check } of features) check?.(file, refuse);
  });
  const result = schema.safeParse(json);
  if (!result.success) {
    const mistakes = result.error.issues.map(
      (issue) => `  ${issue.path.join('.') || '(file)'}: ${issue.message}`,
    );
    throw new Error(`The site configuration is wrong:\n${mistakes.join('\n')}`, { cause: result.error });
  }
  const site = withDerived(result.data, featurePages);
  const hasAds = features.some((feature) => feature.hasAds?.({ ...site, hasAds: false }));
  return { ...site, hasAds };
}
