import type { Feature } from '../../web/feature.ts';

export default {
  commands: { incident: async () => (await import('./commands.ts')).incident },
  server: () => import('./server.ts'),
} satisfies Feature;
