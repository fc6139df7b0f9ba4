import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Content } from '../content/content.ts';
import type { Texts } from '../content/texts.ts';
import type { ViewCounter } from '../content/writing/views.ts';
import type { Conversions } from '../downloader/conversions/contracts.ts';
import type { MediaNetwork } from '../downloader/network/contracts.ts';
import type { SoundPresence } from '../downloader/options/sound-presence.ts';
import type { Pictures } from '../downloader/pictures/pictures.ts';
import type { ReadingLimit } from '../downloader/posts/reading-limit.ts';
import type { PostResolver, PostResolverOptions } from '../downloader/posts/resolver.ts';
import type { Tickets } from '../downloader/tickets/tickets.ts';
import type { SiteConfiguration } from '../site/configuration/configuration.ts';
import type { SiteServices } from '../site/loaders/services.ts';
import type { ReadBackendPicture } from './backend-pictures.ts';
import type { RunningDownloads } from './endpoints/files/running.ts';
import type { DownloadLimit } from './http/download-limit.ts';
import type { LateRateLimit, RateLimit } from './http/rate-limits.ts';
import type { Visitor } from './http/visitor.ts';
import type { MessageDesk } from './message-desk.ts';
import type { PageCache } from './page-cache/page-cache.ts';
import type { ResolveBackends } from './resolve-backends.ts';

/** The built React Router application. */
export interface BuiltSite {
  /** Answers a page, its data, or its action. */
  handle(request: Request, services: SiteServices): Promise<Response>;
  /** True when pages come from their sources, with scripts and styles that no policy of ours could name. */
  readonly isDevelopment?: boolean;
  /** When it was built, as milliseconds since 1970: tells its pages from those of other builds. */
  readonly version: string;
  /** Folder of the files that browsers fetch. */
  readonly files: string;
  /** The browser's list of routes where it is not among the files: the site configuration has added to it. */
  readonly routeList?: { readonly path: string; readonly script: string } | undefined;
}

/** Writes one line for a request that was answered. */
export type LogRequest = (facts: Readonly<Record<string, string | number>>) => void;

/** Everything the server needs, chosen and put together by `start`. */
export interface ServerParts {
  readonly configuration: SiteConfiguration;
  /** Public origin without a last slash. */
  readonly origin: string;
  readonly logger: Logger;
  readonly logRequest: LogRequest;
  readonly metrics: Registry;
  /** True when they are served on a port of their own, and not here. */
  readonly metricsElsewhere: boolean;
  readonly site: BuiltSite;
  readonly content: Content;
  /** Another number after each change by the operator. */
  readonly contentRevision: () => number;
  readonly views: ViewCounter;
  readonly texts: Texts;
  readonly resolver: PostResolver;
  readonly soundPresence: SoundPresence;
  /** Ask for the pages whose links others resolve. */
  readonly resolveBackends: ResolveBackends;
  readonly readBackendPicture: ReadBackendPicture;
  /** Whether a post is taken down here. */
  readonly isWithheld: NonNullable<PostResolverOptions['isWithheld']>;
  readonly network: MediaNetwork;
  readonly pictures: Pictures;
  readonly tickets: Tickets;
  readonly conversions: Conversions;
  readonly messageDesk: MessageDesk;
  readonly runningDownloads: RunningDownloads;
  /** Whether the database did not answer when it was last asked, a moment ago. */
  readonly isDatabaseAway: () => boolean;
  readonly limits: {
    readonly resolve: RateLimit;
    readonly files: RateLimit;
    readonly downloads: DownloadLimit;
    readonly lists: RateLimit;
    /** Pages that are made for one visitor alone, and tickets that are none. */
    readonly unkept: LateRateLimit;
  };
  /** How many posts are being read. */
  readonly readingLimit: ReadingLimit;
  /** How many connections may be open at once. */
  readonly mostConnections: number;
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Names whoever is at an address, without keeping it. */
  readonly nameVisitor: (address: string) => Visitor;
  readonly pageCache: PageCache;
  /** Forces the page cache on or off; null: on, except on a developer's own machine. */
  readonly pageCacheForced: boolean | null;
  /** Opens the addresses with which an operator empties the page cache; null leaves them closed. */
  readonly cacheAdminSecret: string | null;
  /** Aborted when the server is told to stop. */
  readonly stopping: AbortSignal;
}
