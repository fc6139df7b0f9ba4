import type { Feature } from '../../server/feature.ts';
import { pushFields, pushVariables } from './configuration.ts';

export default {
  variables: pushVariables,
  configuration: pushFields,
  checks: () => import('./checks.ts'),
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
