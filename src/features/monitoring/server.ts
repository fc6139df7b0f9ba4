import type { FeatureServer } from '../../web/feature.ts';
import { monitoringEndpoint } from './endpoints.ts';

export default { endpoints: monitoringEndpoint } satisfies FeatureServer;
