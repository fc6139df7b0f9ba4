import { resolve } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';

/** Puts our loading of a page's code in the place of the router's: see `src/site/browser/page-code.ts`. */
function ownPageCodeLoader(): Plugin {
  return {
    name: 'own-page-code-loader',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId(source, importer) {
      const isRouters = source.endsWith('/routeModules.js') && importer?.includes('/react-router/dist/');
      return isRouters === true ? resolve('src/site/browser/page-code.ts') : undefined;
    },
  };
}

export default defineConfig({
  plugins: [ownPageCodeLoader(), reactRouter()],
  build: {
    assetsDir: '_app',
    target: 'baseline-widely-available',
    // Pictures and icons stay files: an inlined one would be sent again with every page.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
});
