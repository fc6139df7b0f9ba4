import type { Feature } from '../../server/feature.ts';
import { backendsFields } from './page-backends.ts';

export default {
  configuration: backendsFields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
