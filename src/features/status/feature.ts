import type { Feature } from '../../web/feature.ts';

export default {
  pages: { status: '../features/status/page/route.tsx' },
  commands: { incident: async () => (await import('./commands.ts')).incident },
  server: () => import('./server.ts'),
} satisfies Feature;
