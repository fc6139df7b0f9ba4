import type { Feature } from '../../web/feature.ts';

export default {
  commands: { alarms: async () => (await import('./commands.ts')).alarms },
  server: () => import('./server.ts'),
} satisfies Feature;
