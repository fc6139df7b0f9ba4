import type { Feature } from '../../server/feature.ts';

export default {
  open: async () => ({ routes: (await import('./endpoints.ts')).consentEndpoints }),
} satisfies Feature;
