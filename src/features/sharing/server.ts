import type { FeatureServer } from '../../web/feature.ts';
import { sharePictures } from './share-pictures.ts';

export default { endpoints: sharePictures } satisfies FeatureServer;
