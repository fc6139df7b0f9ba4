import type { Feature } from '../../web/feature.ts';

export default {
  commands: { messages: async () => (await import('./commands.ts')).messages },
  server: () => import('./server.ts'),
} satisfies Feature;
