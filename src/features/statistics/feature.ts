import type { Feature } from '../../web/feature.ts';

export default {
  commands: { statistics: async () => (await import('./commands.ts')).statistics },
  server: () => import('./server.ts'),
} satisfies Feature;
