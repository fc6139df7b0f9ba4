import type { FeatureServer } from '../../web/feature.ts';
import { assembleTakedowns } from './part.ts';

export default { assemble: assembleTakedowns } satisfies FeatureServer;
