import type { Feature } from '../../web/feature.ts';

export default {
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
