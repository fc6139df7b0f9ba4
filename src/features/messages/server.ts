import type { FeatureServer } from '../../web/feature.ts';
import { messageEndpoints } from './endpoints.ts';
import { messagePaths } from './open-api.ts';

export default {
  endpoints: messageEndpoints,
  openApi: (_, errors) => messagePaths(errors),
} satisfies FeatureServer;
