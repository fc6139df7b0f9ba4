import type { Feature } from '../../server/feature.ts';

export default {
  async open() {
    const { severalLinksEndpoints, zipPaths } = await import('./endpoints.ts');
    return { routes: severalLinksEndpoints, paths: zipPaths };
  },
} satisfies Feature;
