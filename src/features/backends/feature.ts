import type { Feature } from '../../server/feature.ts';
import { backendsFields, contentVariables } from './configuration.ts';

export default {
  variables: contentVariables,
  configuration: backendsFields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
