import type { Content } from '../../content/content.ts';
import type { ContentRenderer } from '../../content/content-renderer.ts';
import type { CataloguePage, Locale } from '../../i18n/languages.ts';
import type { Messages } from '../../i18n/translate.ts';
import type { ErrorAnswer, ResolveAnswer } from '../api.ts';
import type { DownloaderModule, SiteConfiguration } from '../configuration/configuration.ts';
import type { MessageOutcome, SentForm } from '../forms/message-answer.ts';
import type { VisitorSettings } from '../visitors/settings.ts';

/**
 * What a page may depend on besides its address. Only what the page cache's key format names is there: whatever else
 * is true of a visitor cannot reach a page that others are shown.
 */
export interface Audience {
  readonly device?: 'desktop' | 'mobile';
  readonly os?: 'win' | 'mac' | 'linux' | 'android' | 'ios' | 'other';
  readonly browser?: 'chrome' | 'edge' | 'firefox' | 'safari' | 'other';
  readonly webp?: 'webp' | 'plain';
  readonly login?: 'in' | 'out';
  /** The host that was asked, where it is the site's own. */
  readonly domain?: string;
  /** Variants of the experiments that run on the page, in the order of the configuration. */
  readonly ab?: string;
}

/** What features add to what loaders may ask. Each declares its own. @public */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface FeatureServices {}

/** What features show on a downloader page, each under its name. Each declares its own. @public */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface ToolPartData {}

/**
 * What the pages' loaders and actions may ask of the server. The server makes one for each request; pages reach it
 * through the load context and import no server code.
 */
export interface SiteServices extends FeatureServices {
  readonly configuration: SiteConfiguration;
  /** Public origin without a last slash, for canonical links. */
  readonly origin: string;
  /** Shown on error screens and found in the log. */
  readonly requestId: string;
  /** Every failure that the API answers with, and its HTTP status. */
  readonly failures: readonly { readonly key: string; readonly status: number }[];
  /** A refusal that the API has too, in its words. */
  refuse(key: 'media_type_unsupported' | 'request_invalid', locale: Locale): ErrorAnswer;
  readonly audience: Audience;
  /** Set when a step of the way has failed: the page shows this error screen instead of itself. */
  readonly screen: { readonly status: number; readonly message: string } | null;
  /**
   * Why a file could not be had when a browser without scripts asked for one, or why the form that was sent could not be
   * read: shown on the page instead of a result.
   */
  readonly failure: ErrorAnswer | null;
  /** Articles, categories and authors. */
  readonly content: Content;
  /** What the browser's part of the visitors' matters has to know on a page of a language; null for nothing. */
  visitorSettings(locale: Locale): VisitorSettings | null;
  /** What features show on a downloader page. */
  toolParts(locale: Locale, module: DownloaderModule): Partial<ToolPartData>;
  /** Articles and legal documents, ready to be shown. */
  readonly contentRenderer: ContentRenderer;
  /** The compiled messages of one catalogue page. */
  messages(locale: Locale, page: CataloguePage | (string & {})): Messages;
  /** Whether somebody is going to read the page: for prefetches, pictures of other sites and crawlers nothing is looked up. */
  readonly hasReader: boolean;
  /** Resolves what a visitor typed on a page, rate limits included; never throws for a visitor's mistake. */
  resolve(text: string, locale: Locale, module: DownloaderModule): Promise<ResolveAnswer | ErrorAnswer>;
  /** Keeps what a visitor wrote to the operator, rate limits included; never throws for a visitor's mistake. */
  sendMessage(sent: SentForm): Promise<MessageOutcome>;
  /** Logs what went wrong while a page was made, with this request's id. */
  reportError(error: unknown): void;
}
