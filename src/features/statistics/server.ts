import type { FeatureServer } from '../../web/feature.ts';
import { reportEndpoints } from './endpoints.ts';
import { reportPaths } from './open-api.ts';
import { assembleStatistics } from './part.ts';

export default {
  assemble: assembleStatistics,
  endpoints: reportEndpoints,
  openApi: ({ statistics, configuration }, errors) =>
    statistics === null || configuration.visitors.consent === 'off' ? {} : reportPaths(errors),
} satisfies FeatureServer;
