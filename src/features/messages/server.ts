import type { FeatureServer } from '../../web/feature.ts';
import { messageEndpoints } from './endpoints.ts';
import { messagePaths } from './open-api.ts';
import { assembleMessages } from './part.ts';

export default {
  assemble: assembleMessages,
  endpoints: messageEndpoints,
  openApi: (_, errors) => messagePaths(errors),
} satisfies FeatureServer;
