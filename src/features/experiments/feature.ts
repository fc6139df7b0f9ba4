import type { Feature } from '../../web/feature.ts';

export default {
  commands: { experiments: async () => (await import('./commands.ts')).experiments },
  server: () => import('./server.ts'),
} satisfies Feature;
