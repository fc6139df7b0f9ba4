import type { Feature } from '../../server/feature.ts';

export default {
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
