import type { Feature } from '../../web/feature.ts';
import { promotionFields } from './configuration/promotion.ts';

export default {
  configuration: promotionFields,
  commands: { site: async () => (await import('./commands/site.ts')).site },
  server: () => import('./server.ts'),
} satisfies Feature;
