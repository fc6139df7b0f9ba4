import type { Feature } from '../../web/feature.ts';

export default {
  server: () => import('./server.ts'),
} satisfies Feature;
