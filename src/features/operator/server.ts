import type { FastifyInstance } from 'fastify';
import type { FeatureServer } from '../../web/feature.ts';
import type { ServerDependencies } from '../../web/server/parts.ts';

declare module '../../web/server/parts.ts' {
  interface FeatureParts {
    /** Opens the desk's addresses; undefined where there is no desk. */
    readonly openDesk?: (app: FastifyInstance, parts: ServerDependencies) => void;
  }
}

/** Without a password nothing of the desk is loaded. */
export default {
  assemble: async (context) =>
    context.environment.OPERATOR_PASSWORD === undefined
      ? {}
      : (await import('./part.ts')).assembleDesk(context, context.environment.OPERATOR_PASSWORD),
  endpoints: (app, parts) => parts.openDesk?.(app, parts),
} satisfies FeatureServer;
