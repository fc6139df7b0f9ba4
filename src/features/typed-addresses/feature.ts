import type { Feature } from '../../web/feature.ts';

export default {
  open: async () => ({ routes: (await import('./endpoints.ts')).typedAddresses }),
} satisfies Feature;
