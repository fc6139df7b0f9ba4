import type { FeatureServer } from '../../web/feature.ts';
import { cardsEndpoint } from './endpoints.ts';

export default { endpoints: cardsEndpoint } satisfies FeatureServer;
