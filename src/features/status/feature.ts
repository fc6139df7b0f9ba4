import type { Feature } from '../../web/feature.ts';

export default {
  pages: { status: '../features/status/page/route.tsx' },
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
