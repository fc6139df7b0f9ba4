import type { Feature } from '../../web/feature.ts';

export default {
  open: async () => ({ routes: (await import('./feeds.ts')).feeds }),
} satisfies Feature;
