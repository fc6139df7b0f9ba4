import type { FeatureServer } from '../../web/feature.ts';
import { reportEndpoints } from './endpoints.ts';
import { reportPaths } from './open-api.ts';

export default {
  endpoints: reportEndpoints,
  openApi: ({ statistics, configuration }, errors) =>
    statistics === null || configuration.visitors.consent === 'off' ? {} : reportPaths(errors),
} satisfies FeatureServer;
