import type { Feature } from '../../server/feature.ts';

export default {
  pages: { status: '../features/status/page/route.tsx' },
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
