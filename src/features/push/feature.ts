import type { Feature } from '../../web/feature.ts';
import { pushFields } from './configuration.ts';

export default {
  configuration: pushFields,
  server: () => import('./server.ts'),
} satisfies Feature;
