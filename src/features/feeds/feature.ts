import type { Feature } from '../../server/feature.ts';

export default {
  open: async () => ({ routes: (await import('./feeds.ts')).feeds }),
} satisfies Feature;
