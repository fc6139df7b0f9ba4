import type { FeatureServer } from '../../web/feature.ts';
import { openForTag } from './tag-policy.ts';

export default {
  finishPage: (page, exchange, { configuration }) => openForTag(page, exchange, configuration),
} satisfies FeatureServer;
