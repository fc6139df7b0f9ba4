import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Content } from '../content/content.ts';
import type { LegalValues } from '../content/legal-documents.ts';
import type { PostName } from '../downloader/posts/resolver.ts';
import type { Locale } from '../i18n/languages.ts';
import type { Environment } from '../process/environment.ts';
import type { OwnVariables } from '../process/variables.ts';
import type { FeatureConfiguration, SiteConfiguration } from '../site/configuration/configuration.ts';
import type { ConsentCategory } from '../site/consent/consent-cookie.ts';
import type { FeatureSettings } from '../site/visitors/settings.ts';
import type { Database } from '../stores/contracts/database.ts';
import type { SharedRedis } from '../stores/open/redis.ts';
import type { Audience } from '../stores/tally/subjects.ts';
import type { Tally } from '../stores/tally/tally.ts';
import type { Check } from './commands/checks.ts';
import type { DeskPage } from './desk/desk-page.ts';
import type { StoredQuotas } from './http/limits/stored-quota.ts';
import type { RateLimits } from './http/limits/visitor-limits.ts';
import type { PolicyAdditions } from './http/responses/security-headers.ts';
import type { BuiltSite, ResolvePage, ServerDependencies } from './instance/parts.ts';
import type { RunningDownloads } from './instance/running-downloads.ts';
import type { Paths } from './openapi/describe.ts';
import type { PageCache } from './page-cache/page-cache.ts';
import type { PlacedStep } from './pipeline/steps.ts';
import type { InstanceState } from './tally/instances.ts';

/**
 * A feature: the default export of `src/features/NAME/feature.ts`. Every program reads it, so it imports little, and
 * loads the rest on demand.
 */
export interface Feature {
  /** The feature's environment variables. */
  readonly variables?: OwnVariables;
  /** The feature's fields of the site configuration file. */
  readonly configuration?: FeatureConfiguration;
  /**
   * The feature's pages: by the name in their address, the file of the route as `src/app/routes.ts` would name it. They
   * stand at one address in all languages.
   */
  readonly pages?: Readonly<Record<string, string>>;
  /** The feature's checks of `doctor`. */
  readonly checks?: () => Promise<{ readonly default: readonly Check[] }>;
  /**
   * Loads the feature's part of the server and opens its resources. A feature that the site does not use opens nothing.
   * @throws EnvironmentError
   */
  open?(core: Core): Promise<FeatureServer>;
  /** The sums beside those of every site that it reads; null where it reads none. */
  audience?(core: Pick<Core, 'environment' | 'configuration'>): Audience | null;
  /** Called when the instance could not start, before its process ends. */
  startFailed?(start: FailedStart): Promise<void>;
}

/** A feature's part of an instance. */
export interface FeatureServer {
  /** Adds routes and hooks. */
  routes?(app: FastifyInstance, parts: ServerDependencies): void;
  /** The feature's calls in the description of the API. */
  readonly paths?: Paths;
  /** Steps of a page request. */
  readonly steps?: readonly PlacedStep[];
  /** The feature's fields of the site-wide state. */
  state?(locale: Locale): Readonly<Record<string, unknown>>;
  /** Its services for the loaders of pages (`defineService`). */
  readonly services?: Readonly<Record<string, unknown>>;
  /** The settings of the feature's browser part. */
  settings?(locale: Locale): FeatureSettings;
  /** Deletes what the feature has stored under a visitor's token. */
  forget?(token: string): Promise<unknown>;
  /** Consent categories that the feature's browser part needs. */
  readonly asksFor?: readonly ConsentCategory[];
  /** What the legal documents say of the feature. */
  readonly legal?: Partial<LegalValues>;
  /** The feature's additions to the pages' content security policy. */
  readonly policy?: PolicyAdditions;
  /** Whether the feature keeps a post from being served here. */
  withholds?(post: PostName): boolean;
  /** Resolves links of pages, or leaves that to `here`. Features that do so stand around each other. */
  readonly resolvePage?: ResolvePage;
  /** The articles that pages show, made of the database's. */
  content?(own: Content): Content;
  /** A cache of pages that instances share, in the place of this process's own. */
  readonly pageCache?: PageCache;
  /** Called with each logged error, and with the error that ends the process, which waits for it a moment. */
  onError?(error: unknown, requestId?: string): Promise<unknown>;
  /** The feature's pages of the operator's desk. Asked for where there is a desk, which loads them. */
  desk?(parts: ServerDependencies): Promise<readonly DeskPage[]>;
  /** Called when the instance has stopped answering. */
  close?(): Promise<void>;
}

/** An instance that did not start. */
export interface FailedStart {
  readonly environment: Environment;
  readonly configuration: SiteConfiguration;
  /** Public origin without a last slash. */
  readonly origin: string;
  readonly error: unknown;
}

/** The parts of the core that features use. */
export interface Core {
  readonly environment: Environment;
  readonly configuration: SiteConfiguration;
  /** Public origin without a last slash. */
  readonly origin: string;
  readonly site: BuiltSite;
  /** The same on all instances if `SECRET_KEY` is set. */
  readonly secret: Uint8Array;
  readonly database: Database;
  /** Null for a single instance. */
  readonly redis: SharedRedis | null;
  readonly rateLimits: RateLimits;
  readonly quotas: StoredQuotas;
  readonly tally: Tally;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** This instance's health, from memory; null while it starts, and where nobody looks at figures. */
  instanceState(): Promise<InstanceState | null>;
  readonly runningDownloads: RunningDownloads;
  /**
   * Runs one of the operator's commands in a process of its own, so that no request waits for it.
   * @returns what it printed
   * @throws Error with the last line of what it complained of
   */
  runCommand(words: readonly string[], signal: AbortSignal): Promise<string>;
}
