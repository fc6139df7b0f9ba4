import type { Feature } from '../../server/feature.ts';
import { contentVariables } from './configuration.ts';
import { backendsFields } from './page-backends.ts';

export default {
  variables: contentVariables,
  configuration: backendsFields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
