import type { z } from 'zod';

/** The features' additions to the site configuration. Each declares its own part, beside its schema. @public */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface FeatureConfigurations {}

/** The features' additions to a downloader page. Each declares its own part. @public */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface FeatureModules {}

/** Refuses a value of the file, with a message that names its place. */
export type Refuse = (path: (string | number)[], message: string) => void;

type Shape = Record<string, z.ZodType>;
type Read<S extends Shape> = { readonly [Name in keyof S]: z.output<S[Name]> };

/** A downloader page of the file, as far as every feature may know it. */
export interface ModuleFields {
  /** Absent for the home page. */
  readonly url?: string;
  readonly elk_key?: string | undefined;
  readonly download_info: { readonly download_btns: readonly string[] };
}

/** Names a page in statistics and to partners. */
export const pageKey = ({ url = '', elk_key }: Pick<ModuleFields, 'url' | 'elk_key'>): string =>
  elk_key ?? (url === '' ? 'index' : url.slice(1));

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
      readonly index_info: ModuleFields & Read<Module>;
      readonly index_modules: readonly (ModuleFields & Read<Module>)[];
    },
    refuse: Refuse,
  ): void;
  /** The checked fields as the program uses them. */
  read?(file: Read<File>): Partial<FeatureConfigurations>;
  /** @param key names the page in statistics and to partners */
  readModule?(
    module: Read<Module> & { readonly download_info: ModuleFields['download_info'] & Read<Download> },
    key: string,
    file: Read<File>,
  ): Partial<FeatureModules>;
  /** Whether the site shows ads or promotions. Pages then do not promise the contrary. */
  hasAds?(
    configuration: FeatureConfigurations & {
      readonly home: FeatureModules;
      readonly modules: ReadonlyMap<string, FeatureModules>;
    },
  ): boolean;
}

/** A feature's fields of the site configuration file, and what the program makes of them. */
export interface FeatureConfiguration extends Definition<Shape, Shape, Shape> {}

/** Keeps the types of a feature's own fields inside its definition. */
export function defineConfiguration<
  File extends Shape = Record<never, never>,
  Module extends Shape = Record<never, never>,
  Download extends Shape = Record<never, never>,
>(definition: Definition<File, Module, Download>): FeatureConfiguration {
  // The schema is made of these very fields, so they are what the functions are given.
  return definition as unknown as FeatureConfiguration;
}
