import type { Feature } from '../../server/feature.ts';
import { monitoringFields, monitoringVariables } from './configuration.ts';

export default {
  variables: monitoringVariables,
  configuration: monitoringFields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
