import type { FeatureServer } from '../../web/feature.ts';
import { consentEndpoints } from './endpoints.ts';

export default { endpoints: consentEndpoints } satisfies FeatureServer;
