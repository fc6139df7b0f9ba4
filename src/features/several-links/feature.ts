import type { Feature } from '../../server/feature.ts';

export default {
  async open() {
    const [{ severalLinksEndpoints }, { zipPaths }] = await Promise.all([
      import('./endpoints.ts'),
      import('./open-api.ts'),
    ]);
    return { routes: severalLinksEndpoints, paths: zipPaths };
  },
} satisfies Feature;
