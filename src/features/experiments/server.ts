import type { FeatureServer } from '../../web/feature.ts';
import { abTest } from './ab-test/ab-test.ts';

export default {
  steps: ({ configuration: { visitors } }) => [
    { before: 'category-page', step: abTest(visitors.experiments, Math.random) },
  ],
} satisfies FeatureServer;
