import type { FeatureServer } from '../../web/feature.ts';
import { cookieTables } from './cookie-tables.ts';
import { consentEndpoints } from './endpoints.ts';

export default {
  assemble: ({ configuration: { visitors } }) => ({
    documentValues: (locale) => cookieTables(locale, visitors.experiments),
  }),
  endpoints: consentEndpoints,
} satisfies FeatureServer;
