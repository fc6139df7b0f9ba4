import type { Feature } from '../../server/feature.ts';

export default {
  pages: { 'many-posts': '../features/many-posts/page/route.tsx' },
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
