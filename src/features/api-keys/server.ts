import type { FeatureServer } from '../../web/feature.ts';
import { apiKeyHook } from './endpoints.ts';

export default { endpoints: apiKeyHook } satisfies FeatureServer;
