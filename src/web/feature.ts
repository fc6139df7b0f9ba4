import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Locale } from '../i18n/languages.ts';
import type { Environment } from '../process/environment.ts';
import type { Database } from '../stores/contracts/database.ts';
import type { SharedRedis } from '../stores/open/redis.ts';
import type { Check } from './commands/checks.ts';
import type { DownloaderModule, SiteConfiguration } from './configuration/configuration.ts';
import type { FeatureConfiguration } from './configuration/feature-configuration.ts';
import type { ConsentCategory } from './consent/consent-cookie.ts';
import type { DeskPage } from './desk/desk-page.ts';
import type { InstanceState } from './figures/instance-store.ts';
import type { RateLimits } from './http/limits/rate-limits.ts';
import type { StoredQuotas } from './http/limits/stored-quota.ts';
import type { PageResponse } from './http/responses/response.ts';
import type { PolicyAdditions } from './http/responses/security-headers.ts';
import type { FeatureServices, ToolPartData } from './loaders/services.ts';
import type { RouteContext } from './pipeline/route-context.ts';
import type { PlacedStep } from './pipeline/steps.ts';
import type { BuiltSite, FeatureLimits, ServerDependencies } from './server/parts.ts';
import type { FeatureState } from './state/site-state.ts';
import type { FeatureSettings } from './visitors/settings.ts';

/**
 * A feature's contribution to the programs: the default export of `src/features/NAME/feature.ts`. Every program reads
 * it, so it imports little, and loads the rest on demand.
 */
export interface Feature {
  /** The feature's fields of the site configuration file. */
  readonly configuration?: FeatureConfiguration;
  /**
   * The feature's pages: by the name in their address, the file of the route as `src/app/routes.ts` would name it. They
   * stand at one address in all languages.
   */
  readonly pages?: Readonly<Record<string, string>>;
  /** What `doctor` checks for it. */
  readonly checks?: () => Promise<{ readonly default: readonly Check[] }>;
  /** The feature's part of the server. */
  readonly server?: () => Promise<{ readonly default: FeatureServer }>;
}

/** A feature's contribution to the server: the default export of the module that its `server` loads. */
export interface FeatureServer {
  /** Opens the feature's resources. A disabled feature opens and loads nothing. @throws EnvironmentError */
  assemble?(context: FeatureContext): Promise<Assembled> | Assembled;
  /** Called when the instance could not start, before its process ends. */
  startFailed?(start: FailedStart): Promise<void>;
  /** Adds routes and hooks. A disabled feature adds none. */
  endpoints?(app: FastifyInstance, parts: ServerDependencies): void;
  /**
   * The feature's paths in the API's description (OpenAPI 3.1).
   * @param errors the responses that every call may have
   */
  openApi?(parts: ServerDependencies, errors: object): Record<string, object>;
  /** Steps of a page request. */
  steps?(parts: ServerDependencies): readonly PlacedStep[];
  /** Called for each page before it is sent, also when it comes from the cache. What it changes is this visitor's own. */
  finishPage?(page: PageResponse, context: RouteContext, parts: ServerDependencies): void;
  /** The feature's part of the site-wide state. */
  state?(parts: ServerDependencies, locale: Locale): Partial<FeatureState>;
}

/** What is known of an instance that did not start. */
export interface FailedStart {
  readonly environment: Environment;
  readonly configuration: SiteConfiguration;
  /** Public origin without a last slash. */
  readonly origin: string;
  readonly error: unknown;
}

/** The dependencies of features. */
export interface FeatureContext {
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
  readonly metrics: Registry;
  readonly logger: Logger;
  /** How this instance fares now, from memory; null while it starts, and where nobody looks at figures. */
  instanceState(): Promise<InstanceState | null>;
  /** Breaks off running downloads of posts that `isWithheld` names now. */
  recheckDownloads(): void;
}

/** Reports errors to another service. */
export interface ErrorReporter {
  report(error: unknown, requestId?: string): void;
  /** Waits until everything is reported, but no longer than a time. */
  flush(limitMs: number): Promise<void>;
}

/** A feature's contribution to an instance. */
export interface Assembled {
  /** The parts that the feature declares (`FeatureParts`), and those of `FeatureSlots` that it fills. */
  readonly parts?: Partial<ServerDependencies>;
  readonly limits?: Partial<FeatureLimits>;
  /** Its services for the loaders of pages. */
  readonly services?: Partial<FeatureServices>;
  /** The feature's data on a downloader page. */
  toolParts?(locale: Locale, module: DownloaderModule): Partial<ToolPartData>;
  /** The settings of the feature's browser part. */
  settings?(locale: Locale): FeatureSettings;
  /** The feature's additions to the pages' content security policy. */
  readonly policy?: PolicyAdditions;
  /** Origin of the site whose lists of articles are shown here. */
  readonly listsFrom?: string | undefined;
  /** Consent categories that the feature's browser part needs. */
  readonly asksFor?: readonly ConsentCategory[];
  /** The feature's pages of the operator's desk. Asked for where there is a desk, which loads them. */
  desk?(parts: ServerDependencies): Promise<readonly DeskPage[]>;
  /** Called with each logged error, and with the error that ends the process. */
  readonly reporter?: ErrorReporter;
  /** Called when the instance has stopped answering. */
  close?(): Promise<void>;
}
