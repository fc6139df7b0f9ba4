import type { Feature } from '../../server/feature.ts';
import { deviceMp3Fields } from './configuration.ts';

export default {
  configuration: deviceMp3Fields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
