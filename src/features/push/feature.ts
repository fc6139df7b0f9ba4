import type { Feature } from '../../server/feature.ts';
import { pushFields } from './configuration.ts';

export default {
  configuration: pushFields,
  checks: () => import('./checks.ts'),
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
