import type { FeatureServer } from '../../web/feature.ts';

export default {
  async assemble(context) {
    const { PAGE_CACHE_URL: url } = context.environment;
    // Imported on demand: most sites never load it.
    return url === undefined ? {} : (await import('./part.ts')).assembleSharedPages(url, context);
  },
} satisfies FeatureServer;
