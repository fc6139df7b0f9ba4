/** A language of the site, as the page that stands in for others speaks it. */
export interface OfflineLanguage {
  /** For the `lang` attribute. */
  readonly lang: string;
  readonly direction: 'ltr' | 'rtl';
  /** Path of its home page. */
  readonly home: string;
  readonly texts: {
    readonly title: string;
    /** When a page is not kept on the device. */
    readonly page: string;
    /** When the address has a link in it. */
    readonly link: string;
    readonly retry: string;
    readonly toHome: string;
    readonly label: string;
    readonly placeholder: string;
    readonly submit: string;
  };
}

/** What the server puts before the worker's script. */
export interface SiteWorkerSettings {
  /** Another one for each build, whatever machine made it: caches are named by it. */
  readonly version: string;
  /** Paths of the files that pages are made of; their names change with their content. */
  readonly assets: readonly string[];
  /** By the name that stands in addresses. */
  readonly languages: Readonly<Record<string, OfflineLanguage>>;
  readonly defaultLocale: string;
  readonly offlinePage: {
    /** Puts the visitor's colours into effect before anything is drawn. */
    readonly themeScript: string;
    /** Runs behind everything else; the page's policy names both. */
    readonly script: string;
    /** Paths of its style sheets. */
    readonly styles: readonly string[];
    readonly headers: Readonly<Record<string, string>>;
  };
}
