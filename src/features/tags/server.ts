import type { FeatureServer } from '../../web/feature.ts';
import { openForTag } from './tag-policy.ts';

export default {
  finishPage: (page, context, { configuration }) => openForTag(page, context, configuration),
} satisfies FeatureServer;
