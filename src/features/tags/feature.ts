import type { Feature } from '../../server/feature.ts';

export default {
  async open({ configuration }) {
    if (configuration.visitors.tags === null) return {};
    const { openForTag } = await import('./tag-policy.ts');
    return { finishPage: (page, context) => openForTag(page, context, configuration) };
  },
} satisfies Feature;
