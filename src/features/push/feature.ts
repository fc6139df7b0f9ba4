import type { Feature } from '../../web/feature.ts';
import { pushFields } from './configuration.ts';

export default {
  configuration: pushFields,
  commands: { push: async () => (await import('./commands.ts')).push },
  server: () => import('./server.ts'),
} satisfies Feature;
