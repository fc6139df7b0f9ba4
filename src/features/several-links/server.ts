import type { FeatureServer } from '../../web/feature.ts';
import { severalLinksEndpoints } from './endpoints.ts';
import { zipPaths } from './open-api.ts';

export default {
  endpoints: severalLinksEndpoints,
  openApi: (_, errors) => zipPaths(errors),
} satisfies FeatureServer;
