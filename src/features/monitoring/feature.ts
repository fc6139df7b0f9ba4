import type { Feature } from '../../server/feature.ts';
import { monitoringFields } from './configuration.ts';

export default {
  configuration: monitoringFields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
