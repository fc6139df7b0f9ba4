import type { Feature } from '../../web/feature.ts';
import { deviceMp3Fields } from './configuration.ts';

export default {
  configuration: deviceMp3Fields,
  server: () => import('./server.ts'),
} satisfies Feature;
