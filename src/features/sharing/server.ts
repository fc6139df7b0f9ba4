import type { FeatureServer } from '../../web/feature.ts';
import { assembleSharing } from './part.ts';
import { sharePictures } from './share-pictures.ts';

export default { assemble: assembleSharing, endpoints: sharePictures } satisfies FeatureServer;
