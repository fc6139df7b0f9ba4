import type { Content } from '../../content/content.ts';
import type { ContentRenderer } from '../../content/content-renderer.ts';
import type { CataloguePage, Locale } from '../../i18n/languages.ts';
import type { Messages } from '../../i18n/translate.ts';
import type { ErrorResponse, ListResponse, ResolveResponse } from '../api.ts';
import type { DownloaderModule, SiteConfiguration } from '../configuration/configuration.ts';
import type { MessageOutcome, SentForm } from '../forms.ts';
import type { VisitorSettings } from '../visitors/settings.ts';

/**
 * Request properties that a page may depend on besides its address: only those in the page cache's key format, so that
 * no other property of a visitor can reach a page that others see.
 */
export interface Audience {
  readonly device?: 'desktop' | 'mobile';
  readonly os?: 'win' | 'mac' | 'linux' | 'android' | 'ios' | 'other';
  readonly browser?: 'chrome' | 'edge' | 'firefox' | 'safari' | 'other';
  readonly webp?: 'webp' | 'plain';
  readonly login?: 'in' | 'out';
  /** The requested host, if it is one of the site's own. */
  readonly domain?: string;
  /** Variants of the experiments that run on the page, in the order of the configuration. */
  readonly ab?: string;
}

/** A picture beside the site's name, in CSS pixels. */
export interface SiteLogo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The server's services for the pages' loaders and actions. The server creates one for each request; pages reach it
 * through the load context and import no server code.
 */
export interface SiteServices {
  readonly configuration: SiteConfiguration;
  /** Public origin without a last slash, for canonical links. */
  readonly origin: string;
  /** The site's own logo; null for the product's ferry. */
  readonly logo: SiteLogo | null;
  /** Shown on error screens and found in the log. */
  readonly requestId: string;
  /** Every failure that the API answers with, and its HTTP status. */
  readonly failures: readonly { readonly key: string; readonly status: number }[];
  /** An error of the API, in a page's language. */
  refuse(key: 'media_type_unsupported' | 'request_invalid', locale: Locale): ErrorResponse;
  readonly audience: Audience;
  /** Set when a route step has failed: the page shows this error screen instead of itself. */
  readonly screen: { readonly status: number; readonly message: string } | null;
  /**
   * Why a file was unavailable to a browser without scripts, or why a submitted form could not be read: the page shows
   * it instead of a result.
   */
  readonly failure: ErrorResponse | null;
  /** Articles, categories and authors. */
  readonly content: Content;
  /** Whether a list is empty only because its server is away: the page is not cached then. */
  isIncomplete(): boolean;
  /**
   * Refuses to build on a list that is empty because its server is away.
   * @throws Failure `unavailable`
   */
  refuseStandIn(list: object): void;
  /** The settings of the visitors' browser parts on a page of a language; null for none. */
  visitorSettings(locale: Locale): VisitorSettings | null;
  /** The features' services, by name: `defineService` reads them. */
  readonly featureServices: Readonly<Record<string, unknown>>;
  /** Articles and legal documents, ready to be shown. */
  readonly contentRenderer: ContentRenderer;
  /** The compiled messages of one catalogue page. */
  messages(locale: Locale, page: CataloguePage | (string & {})): Messages;
  /** Whether a person will read the page: prefetches, embedding sites and crawlers cause no look-ups. */
  readonly hasReader: boolean;
  /** Whether the example of a page leads to no post at present. */
  isDeadExample(url: string): boolean;
  /**
   * Resolves what a visitor typed on a page, rate limits included; never throws for a visitor's mistake.
   * @param again whether a thin post is read again
   */
  resolve(
    text: string,
    locale: Locale,
    module: DownloaderModule,
    again?: boolean,
  ): Promise<ResolveResponse | ErrorResponse>;
  /** Reads a sound's, creator's or hashtag's posts by its address; as {@link resolve} otherwise. */
  list(url: string, locale: Locale): Promise<ListResponse | ErrorResponse>;
  /**
   * Stores a visitor's message to the operator, rate limits included; never throws for a visitor's mistake.
   */
  sendMessage(sent: SentForm): Promise<MessageOutcome>;
  /** Logs an error in making a page, with this request's id. */
  reportError(error: unknown): void;
}

/** A feature's service for the loaders of pages. */
interface FeatureService<T> {
  /** The feature's entry of `FeatureServer.services`. */
  provide(service: T): Readonly<Record<string, unknown>>;
  /** @throws Error when the server has not provided it */
  of(services: Pick<SiteServices, 'featureServices'>): T;
}

/**
 * Defines a service that a feature's server part provides and its pages use. Pages are built apart from the server, so
 * a name connects the two; only this definition reads it.
 * @param name unique among all features
 * @param without the value for a site without the feature
 */
export const defineService = <T>(name: string, without?: T): FeatureService<T> => ({
  provide: (service) => ({ [name]: service }),
  of({ featureServices }) {
    const service = featureServices[name] ?? without;
    if (service === undefined) throw new Error(`the server provides no service "${name}"`);
    return service as T;
  },
});
