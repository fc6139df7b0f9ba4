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
import type { ReadingLimit } from '../../downloader/posts/platform-requests.ts';
import type { PostName, PostResolver } from '../../downloader/posts/resolver.ts';
import type { Tickets } from '../../downloader/tickets/tickets.ts';
import type { Locale } from '../../i18n/languages.ts';
import type { LogRequest } from '../../process/logger.ts';
import type { ResolveResult } from '../../site/api.ts';
import type { DownloaderModule, SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import type { VisitorSettings } from '../../site/visitors/settings.ts';
import type { Tally } from '../../stores/tally/tally.ts';
import type { DeskPage, ShownDesk } from '../desk/desk-page.ts';
import type { DownloadLimit, LateRateLimit, RateLimit } from '../http/limits/visitor-limits.ts';
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
    /** The page that `site` shows without a network. */
    readonly offlinePage: string;
    /**
     * The workers of features (`src/features/NAME/worker/worker.ts`), by feature name; `NAME-FOLDER` where it has a
     * folder for each.
     */
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

/**
 * Resolves a page's link.
 * @param here resolves it on this server
 * @throws Failure
 */
export type ResolvePage = (
  request: ResolveRequest,
  here: () => Promise<ResolveResult>,
) => Promise<ResolveResult>;

/** Everything the server needs, chosen and put together by `assemble`. */
export interface ServerDependencies {
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
  /** Whether a post is not served here. */
  readonly isWithheld: (post: PostName) => boolean;
  /** Why this instance cannot serve; null when it can. */
  readonly obstacle: () => string | null;
  readonly resolvePage: ResolvePage;
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
  /** Opens an mp3's source frames, for encoders elsewhere. */
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
