import type { Feature } from '../../web/feature.ts';

export default {
  async open({ configuration: { visitors } }) {
    const { abTest } = await import('./ab-test/ab-test.ts');
    return { steps: [{ before: 'category-page', step: abTest(visitors.experiments, Math.random) }] };
  },
} satisfies Feature;
