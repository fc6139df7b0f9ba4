import type { FeatureServer } from '../../web/feature.ts';
import { pushEndpoints } from './endpoints.ts';
import { pushPaths } from './open-api.ts';
import { assemblePush } from './part.ts';

export default {
  assemble: assemblePush,
  endpoints: pushEndpoints,
  openApi: ({ push }, errors) => (push === null ? {} : pushPaths(errors)),
  state({ visitorSettings }, locale) {
    const push = visitorSettings(locale)?.push;
    return { push: push === undefined ? null : { PublicKey: push.publicKey, app_id: push.appId } };
  },
} satisfies FeatureServer;
