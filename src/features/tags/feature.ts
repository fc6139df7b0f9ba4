import type { Feature } from '../../server/feature.ts';

export default {
  async open({ configuration }) {
    if (Object.keys(configuration.tag_ids).length === 0) return {};
    const { openForTag } = await import('./tag-policy.ts');
    return { finishPage: (page, context) => openForTag(page, context, configuration) };
  },
} satisfies Feature;
