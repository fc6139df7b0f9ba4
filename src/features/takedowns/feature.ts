import type { Feature } from '../../web/feature.ts';

export default {
  commands: { takedown: async () => (await import('./commands.ts')).takedown },
  server: () => import('./server.ts'),
} satisfies Feature;
