import type { Feature } from '../../server/feature.ts';

export default {
  async open({ configuration }) {
    const { abTest } = await import('./ab-test.ts');
    return { steps: [{ before: 'category-page', step: abTest(configuration.experiments, Math.random) }] };
  },
} satisfies Feature;
