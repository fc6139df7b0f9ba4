import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Locale } from '../i18n/languages.ts';
import type { Environment } from '../process/environment.ts';
import type { Database } from '../stores/contracts/database.ts';
import type { SharedRedis } from '../stores/open/redis.ts';
import type { Command } from './commands/command.ts';
import type { DownloaderModule, SiteConfiguration } from './configuration/configuration.ts';
import type { FeatureConfiguration } from './configuration/feature-configuration.ts';
import type { ConsentCategory } from './consent/consent-cookie.ts';
import type { DeskPage } from './desk/desk-page.ts';
import type { PageAnswer } from './http/answers/answer.ts';
import type { PolicyAdditions } from './http/answers/security-headers.ts';
import type { RateLimits } from './http/limits/rate-limits.ts';
import type { StoredQuotas } from './http/limits/stored-quota.ts';
import type { FeatureServices, ToolPartData } from './loaders/services.ts';
import type { PageExchange } from './pipeline/exchange.ts';
import type { PlacedStep } from './pipeline/steps.ts';
import type { BuiltSite, FeatureLimits, ServerParts } from './server/parts.ts';
import type { FeatureState } from './state/site-state.ts';
import type { FeatureSettings } from './visitors/settings.ts';

/**
 * What a feature adds to the programs: the default export of `src/features/NAME/feature.ts`. Every program reads it,
 * so it imports little, and loads the rest when it is needed.
 */
export interface Feature {
  /** The feature's fields of the site configuration file. */
  readonly configuration?: FeatureConfiguration;
  /**
   * The feature's pages: by the name in their address, the file of the route as `src/app/routes.ts` would name it. They
   * stand at one address in all languages.
   */
  readonly pages?: Readonly<Record<string, string>>;
  /** The operator's commands by name. */
  readonly commands?: Readonly<Record<string, () => Promise<Command>>>;
  /** The feature's part of the server. */
  readonly server?: () => Promise<{ readonly default: FeatureServer }>;
}

/** What a feature adds to the server: the default export of the module that its `server` loads. */
export interface FeatureServer {
  /** Opens what the feature runs on. A feature that is off opens and loads nothing. @throws EnvironmentError */
  assemble?(context: FeatureContext): Promise<Assembled> | Assembled;
  /** Adds routes and hooks. A feature that is off adds none. */
  endpoints?(app: FastifyInstance, parts: ServerParts): void;
  /**
   * The paths of the feature's calls in the description of the API (OpenAPI 3.1).
   * @param errors the responses that every call may have
   */
  openApi?(parts: ServerParts, errors: object): Record<string, object>;
  /** Steps of a page request. */
  steps?(parts: ServerParts): readonly PlacedStep[];
  /** Called for each page before it is sent, also when it comes from the cache. What it changes is this visitor's own. */
  finishPage?(page: PageAnswer, exchange: PageExchange, parts: ServerParts): void;
  /** The feature's part of the site-wide state. */
  state?(parts: ServerParts, locale: Locale): Partial<FeatureState>;
}

/** What features are made of. */
export interface FeatureContext {
  readonly environment: Environment;
  readonly configuration: SiteConfiguration;
  /** Public origin without a last slash. */
  readonly origin: string;
  readonly site: BuiltSite;
  /** The same on all instances, where `SECRET_KEY` is set. */
  readonly secret: Uint8Array;
  readonly database: Database;
  /** Null where there is one instance only. */
  readonly redis: SharedRedis | null;
  readonly rateLimits: RateLimits;
  readonly quotas: StoredQuotas;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Breaks off running downloads of posts that `isWithheld` names by now. */
  recheckDownloads(): void;
}

/** Reports errors elsewhere. */
export interface ErrorReporter {
  report(error: unknown, requestId?: string): void;
  /** Waits until everything is reported, but no longer than a time. */
  flush(limitMs: number): Promise<void>;
}

/** What a feature gives to an instance. */
export interface Assembled {
  /** The parts that the feature declares (`FeatureParts`), and those of `FeatureSlots` that it fills. */
  readonly parts?: Partial<ServerParts>;
  readonly limits?: Partial<FeatureLimits>;
  /** What the loaders of pages may ask. */
  readonly services?: Partial<FeatureServices>;
  /** What a downloader page shows of the feature. */
  toolParts?(locale: Locale, module: DownloaderModule): Partial<ToolPartData>;
  /** What the feature's browser part has to know. */
  settings?(locale: Locale): FeatureSettings;
  /** What pages may do for the feature's sake. */
  readonly policy?: PolicyAdditions;
  /** Origin of the site whose lists of articles are shown here. */
  readonly listsFrom?: string | undefined;
  /** What the feature's browser part asks visitors for. */
  readonly asksFor?: readonly ConsentCategory[];
  /** The feature's pages of the operator's desk. Asked for where there is a desk, which loads them. */
  desk?(parts: ServerParts): Promise<readonly DeskPage[]>;
  /** Told of each error that is logged, and of what ends the process. */
  readonly reporter?: ErrorReporter;
  /** Called when the instance has stopped answering. */
  close?(): Promise<void>;
}
