import type { Feature } from '../../web/feature.ts';
import { promotionFields } from './configuration/promotion.ts';

export default {
  configuration: promotionFields,
  server: () => import('./server.ts'),
} satisfies Feature;
