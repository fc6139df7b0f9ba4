import type { Feature } from '../../server/feature.ts';

export default {
  checks: () => import('./mail/checks.ts'),
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
