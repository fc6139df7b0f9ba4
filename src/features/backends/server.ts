import type { FeatureServer } from '../../web/feature.ts';
import { assembleBackends } from './part.ts';

export default { assemble: assembleBackends } satisfies FeatureServer;
