/** A language of the site, with the offline page's texts. */
export interface OfflineLanguage {
  /** For the `lang` attribute. */
  readonly lang: string;
  readonly direction: 'ltr' | 'rtl';
  /** Path of its home page. */
  readonly home: string;
  /** Path of the page that takes shared exports; null for none. */
  readonly manyPosts: string | null;
  readonly texts: {
    readonly title: string;
    /** Text for a page that is not cached on the device. */
    readonly page: string;
    /** Text for an address that contains a link. */
    readonly link: string;
    readonly retry: string;
    readonly toHome: string;
    readonly label: string;
    readonly placeholder: string;
    readonly submit: string;
  };
}

/** The settings that the server prepends to the worker's script. */
export interface SiteWorkerSettings {
  /** Unique for each build, independent of the machine: caches are named by it. */
  readonly version: string;
  /** Paths of the files that pages are made of; their names change with their content. */
  readonly assets: readonly string[];
  /** Languages by address prefix. */
  readonly languages: Readonly<Record<string, OfflineLanguage>>;
  readonly defaultLocale: string;
  readonly offlinePage: {
    /** Applies the visitor's colour theme before the first paint. */
    readonly themeScript: string;
    /** Runs last; the page's policy allows both. */
    readonly script: string;
    /** Paths of its style sheets. */
    readonly styles: readonly string[];
    readonly headers: Readonly<Record<string, string>>;
  };
}
