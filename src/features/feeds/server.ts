import type { FeatureServer } from '../../web/feature.ts';
import { feeds } from './feeds.ts';

export default { endpoints: feeds } satisfies FeatureServer;
