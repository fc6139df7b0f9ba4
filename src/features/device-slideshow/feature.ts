import type { Feature } from '../../server/feature.ts';
import { deviceSlideshowFields } from './configuration.ts';

export default {
  configuration: deviceSlideshowFields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
