import type { FeatureServer } from '../../web/feature.ts';
import { statusEndpoints } from './endpoints.ts';
import { statusPaths } from './open-api.ts';
import { assembleStatus } from './part.ts';

export default {
  assemble: (context) => assembleStatus(context),
  endpoints: statusEndpoints,
  openApi: (_, errors) => statusPaths(errors),
} satisfies FeatureServer;
