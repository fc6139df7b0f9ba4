import type { Feature } from '../../web/feature.ts';
import { pushFields } from './configuration.ts';

export default {
  configuration: pushFields,
  checks: () => import('./checks.ts'),
  server: () => import('./server.ts'),
} satisfies Feature;
