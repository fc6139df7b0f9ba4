import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Content } from '../../content/content.ts';
import type { ContentRenderer } from '../../content/content-renderer.ts';
import type { ViewCounter } from '../../content/writing/views.ts';
import type { TakeTurn } from '../../downloader/async/turns.ts';
import type { Conversions } from '../../downloader/conversions/contracts.ts';
import type { SoundMaker } from '../../downloader/conversions/source.ts';
import type { Extractor } from '../../downloader/extractors/extractor.ts';
import type { PlatformNetwork } from '../../downloader/network/contracts.ts';
import type { EgressPool } from '../../downloader/network/egress/egress-pool.ts';
import type { FileChooser } from '../../downloader/options/file-choice.ts';
import type { Pictures } from '../../downloader/pictures/pictures.ts';
import type { ReadingLimit } from '../../downloader/posts/reading-limit.ts';
import type { PostResolver, PostResolverOptions } from '../../downloader/posts/resolver.ts';
import type { Tickets } from '../../downloader/tickets/tickets.ts';
import type { Locale } from '../../i18n/languages.ts';
import type { LogRequest } from '../../process/logger.ts';
import type { ResolveResult } from '../../site/api.ts';
import type { DownloaderModule, SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { MessageOutcome, SentForm } from '../../site/forms/message-outcome.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import type { VisitorSettings } from '../../site/visitors/settings.ts';
import type { Tally } from '../../stores/tally/tally.ts';
import type { DeskPage, ShownDesk } from '../desk/desk-page.ts';
import type { DownloadLimit } from '../http/limits/download-limit.ts';
import type { LateRateLimit, RateLimit } from '../http/limits/rate-limits.ts';
import type { WhoCounts } from '../http/limits/who-counts.ts';
import type { PolicyAdditions } from '../http/responses/security-headers.ts';
import type { Visitor } from '../http/visitor/visitor.ts';
import type { OwnSite } from '../own-site/own-site.ts';
import type { PageCache } from '../page-cache/page-cache.ts';
import type { Arrivals } from './arrivals.ts';
import type { Examples } from './examples.ts';
import type { RunningDownloads } from './running-downloads.ts';

/** The built React Router application. */
export interface BuiltSite {
  /** Answers a page, its data, or its action. */
  handle(request: Request, services: SiteServices): Promise<Response>;
  /** A page of the operator's desk as HTML. What renders it is loaded by the first call. */
  renderDesk(shown: ShownDesk): Promise<string>;
  /** True when pages come from their sources, with scripts and styles that no policy of ours could name. */
  readonly isDevelopment?: boolean;
  /** Build time in milliseconds since 1970: distinguishes its pages from those of other builds. */
  readonly version: string;
  /** Folder of the files that browsers fetch. */
  readonly files: string;
  /** Input for the pages and the service workers' scripts; absent in development. */
  readonly shell?: SiteShell;
}

/** Input for the service workers. */
export interface SiteShell {
  /** Unique for each build of the pages, independent of the machine. */
  readonly version: string;
  /** Paths of the files that pages are made of. */
  readonly assets: readonly string[];
  /** Built scripts. */
  readonly scripts: {
    readonly site: string;
    /** Takes the place of `site` and throws itself away. */
    readonly withdrawn: string;
    /** Of the page that `site` shows without a network. */
    readonly offlinePage: string;
    /** The workers of features (`src/features/NAME/worker/worker.ts`), by feature name; `NAME-FOLDER` where it has a folder for each. */
    readonly ofFeatures: Readonly<Record<string, string>>;
  };
}

/** A page's request to resolve a link. */
interface ResolveRequest {
  readonly module: DownloaderModule;
  /** The requested host. */
  readonly host: string;
  /** The post's address. */
  readonly url: string;
  /** Whether a thin post is read again. */
  readonly again: boolean;
  /** Aborted when the client went away. */
  readonly signal: AbortSignal;
}

/** Reports errors to another service. */
export interface ErrorReporter {
  report(error: unknown, requestId?: string): void;
  /** Waits until everything is reported, but no longer than a time. */
  flush(limitMs: number): Promise<void>;
}

/** What a feature may do in the place of the core. */
export interface FeatureSlots {
  /** Whether a post is taken down here. */
  readonly isWithheld: NonNullable<PostResolverOptions['isWithheld']>;
  /** Whether the database failed to respond at the last check, a moment ago. */
  readonly isDatabaseAway: () => boolean;
  /**
   * Resolves a page's link, here or on another server.
   * @param here resolves it on this server
   * @throws Failure
   */
  readonly resolvePage: (
    request: ResolveRequest,
    here: () => Promise<ResolveResult>,
  ) => Promise<ResolveResult>;
  /** A picture of a post that another server has resolved. @param at its origin @throws Failure */
  readonly readPictureAt: (
    at: string,
    ticket: string,
    signal: AbortSignal,
  ) => Promise<{ readonly type: string; readonly bytes: Buffer }>;
  /** Takes what a visitor writes to the operator. */
  readonly receiveMessage: (
    sent: SentForm,
    sender: { readonly visitor: Visitor; readonly log: FastifyBaseLogger },
  ) => Promise<MessageOutcome>;
  /** Called with each logged error, and with the error that ends the process; null without such a service. */
  readonly reporter: ErrorReporter | null;
  /** A cache of pages that instances share; null for the core's own. */
  readonly sharedPages: PageCache | null;
  /** Origin of the site whose lists of articles are shown here; null for this one's. */
  readonly listsFrom: string | null;
}

/** Everything the server needs, chosen and put together by `assemble`. */
export interface ServerDependencies extends Omit<FeatureSlots, 'reporter' | 'sharedPages' | 'listsFrom'> {
  readonly configuration: SiteConfiguration;
  /** The site's own texts and pictures. */
  readonly own: Pick<OwnSite, 'logo' | 'files' | 'hasIcon'>;
  /** Public origin without a last slash. */
  readonly origin: string;
  /** Lines may name posts, never visitors or requests. `request.log` is the opposite. */
  readonly logger: Logger;
  readonly logRequest: LogRequest;
  /** Counts what happens, for the operator and the status page. */
  readonly tally: Tally;
  /** Deletes everything that is stored under a visitor's token. */
  readonly forget: (token: string) => Promise<unknown>;
  /** Whether an event counts in what others see. */
  readonly counts: WhoCounts;
  readonly metrics: Registry;
  /** True when metrics have a port of their own, and are not served here. */
  readonly metricsElsewhere: boolean;
  readonly site: BuiltSite;
  /** Additions to the pages' content security policy. */
  readonly policy: PolicyAdditions;
  readonly content: Content;
  /** Another number after each change by the operator. */
  readonly contentRevision: () => number;
  readonly views: ViewCounter;
  readonly contentRenderer: ContentRenderer;
  /** For the pages of a language; always the same object. */
  readonly visitorSettings: (locale: Locale) => VisitorSettings | null;
  /** The features' services for the loaders of pages. */
  readonly featureServices: SiteServices['featureServices'];
  /** The features' pages of the operator's desk, loaded by the first call. */
  readonly deskPages: (parts: ServerDependencies) => Promise<readonly DeskPage[]>;
  /** Extractors by platform and their egresses, for the desk's canary page. */
  readonly extractors: readonly Extractor[];
  readonly egresses: Pick<EgressPool, 'states'>;
  readonly resolver: PostResolver;
  readonly fileChooser: FileChooser;
  readonly network: PlatformNetwork;
  readonly pictures: Pictures;
  readonly tickets: Tickets;
  readonly conversions: Conversions;
  /** What an mp3 is encoded from, for whoever encodes it elsewhere. */
  readonly openFrames: SoundMaker['openFrames'];
  readonly runningDownloads: RunningDownloads;
  readonly arrivals: Arrivals;
  readonly examples: Examples;
  /** Names of unreachable servers that this instance currently works without. */
  readonly absent: () => readonly string[];
  readonly limits: {
    readonly resolve: RateLimit;
    readonly files: RateLimit;
    /** Files that are a part of a sound or a video, besides `files`. */
    readonly cuts: RateLimit;
    readonly downloads: DownloadLimit;
    /** Limits a visitor's concurrent platform requests; further ones queue. */
    readonly turns: (visitor: Visitor) => TakeTurn;
    /** Streams of a conversion's events: a page has one for each download that it waits for. */
    readonly watches: DownloadLimit;
    /** Status requests of conversions, and cancellations. */
    readonly status: RateLimit;
    readonly lists: RateLimit;
    /** Wishes to be forgotten. */
    readonly forgetting: RateLimit;
    /** Pages rendered for one visitor, and invalid tickets. */
    readonly uncached: LateRateLimit;
  };
  /** Limits the number of posts being read. */
  readonly readingLimit: ReadingLimit;
  /** Limit of open connections. */
  readonly mostConnections: number;
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Hashes the client at an address, without storing the address. */
  readonly hashVisitor: (address: string) => Visitor;
  readonly pageCache: PageCache;
  /** Forces the page cache on or off; null: on, except on a developer's own machine. */
  readonly pageCacheForced: boolean | null;
  /** Opens the addresses with which an operator empties the page cache; null leaves them closed. */
  readonly cacheAdminSecret: string | null;
  /** False withdraws the worker from the devices that have it. */
  readonly hasServiceWorker: boolean;
  /** Aborts when the server is to stop. */
  readonly stopping: AbortSignal;
}
