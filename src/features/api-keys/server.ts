import type { FeatureServer } from '../../web/feature.ts';
import { apiKeyHook } from './endpoints.ts';
import { assembleApiKeys } from './part.ts';

export default { assemble: assembleApiKeys, endpoints: apiKeyHook } satisfies FeatureServer;
