import type { Feature } from '../../server/feature.ts';
import { promotionFields } from './configuration/promotion.ts';

export default {
  configuration: promotionFields,
  open: async (core) => (await import('./server.ts')).default(core),
} satisfies Feature;
