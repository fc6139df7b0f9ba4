import type { FeatureServer } from '../../web/feature.ts';
import { monitoringEndpoint } from './endpoints.ts';
import { assembleMonitoring } from './part.ts';

export default { assemble: assembleMonitoring, endpoints: monitoringEndpoint } satisfies FeatureServer;
