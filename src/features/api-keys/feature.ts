import type { Feature } from '../../web/feature.ts';

export default {
  commands: { keys: async () => (await import('./commands.ts')).keys },
  server: () => import('./server.ts'),
} satisfies Feature;
