import type { Feature } from '../../web/feature.ts';
import { deviceSlideshowFields } from './configuration.ts';

export default {
  configuration: deviceSlideshowFields,
  server: () => import('./server.ts'),
} satisfies Feature;
