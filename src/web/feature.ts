import type { FastifyInstance } from 'fastify';
import type { Command } from './commands/command.ts';
import type { FeatureConfiguration } from './configuration/feature-configuration.ts';
import type { ServerParts } from './server/parts.ts';

/**
 * What a feature adds to the programs: the default export of `src/features/NAME/feature.ts`. Every program reads it,
 * so it imports little, and loads the rest when it is needed.
 */
export interface Feature {
  /** The feature's fields of the site configuration file. */
  readonly configuration?: FeatureConfiguration;
  /** The operator's commands by name. */
  readonly commands?: Readonly<Record<string, () => Promise<Command>>>;
  /** The feature's part of the server. */
  readonly server?: () => Promise<{ readonly default: FeatureServer }>;
}

/** What a feature adds to the server: the default export of the module that its `server` loads. */
export interface FeatureServer {
  /** Adds routes, and hooks. A feature that is off adds none. */
  endpoints?(app: FastifyInstance, parts: ServerParts): void;
  /**
   * The paths of the feature's calls in the description of the API (OpenAPI 3.1).
   * @param errors the responses that every call may have
   */
  openApi?(parts: ServerParts, errors: object): Record<string, object>;
}
