import type { FeatureServer } from '../../web/feature.ts';
import { statusEndpoints } from './endpoints.ts';
import { statusPaths } from './open-api.ts';

export default {
  endpoints: statusEndpoints,
  openApi: (_, errors) => statusPaths(errors),
} satisfies FeatureServer;
