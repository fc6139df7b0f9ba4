import type { Feature } from '../../server/feature.ts';
import { deviceMediaFields } from './configuration.ts';

export default {
  configuration: deviceMediaFields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
