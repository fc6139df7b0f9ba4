import type { FeatureServer } from '../../web/feature.ts';
import { pushEndpoints } from './endpoints.ts';
import { pushPaths } from './open-api.ts';

export default {
  endpoints: pushEndpoints,
  openApi: ({ push }, errors) => (push === null ? {} : pushPaths(errors)),
} satisfies FeatureServer;
