import type { Feature } from '../../web/feature.ts';

export default {
  checks: () => import('./mail/checks.ts'),
  server: () => import('./server.ts'),
} satisfies Feature;
