import type { Feature } from '../../web/feature.ts';

export default {
  pages: { status: '../features/status/page/route.tsx' },
  server: () => import('./server.ts'),
} satisfies Feature;
