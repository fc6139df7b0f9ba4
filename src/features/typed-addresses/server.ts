import type { FeatureServer } from '../../web/feature.ts';
import { typedAddresses } from './endpoints.ts';

export default { endpoints: typedAddresses } satisfies FeatureServer;
