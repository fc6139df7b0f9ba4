import type { Feature } from '../../server/feature.ts';

export default {
  async open({ configuration }) {
    if (Object.keys(configuration.tag_ids).length === 0) return {};
    const { tagPolicy } = await import('./tag-policy.ts');
    return { steps: [{ before: 'page-cache', step: tagPolicy(configuration) }], asksFor: ['marketing'] };
  },
} satisfies Feature;
