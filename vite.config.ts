import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';

/** Adds to the site's style sheet what features' parts of the layout need: every page has both from the start. */
const layoutStyles: Plugin = {
  name: 'layout-styles',
  enforce: 'pre',
  transform: {
    // Excludes the module that exports its address.
    filter: { id: { include: /\/src\/site\/ui\/styles\.css(?:\?|$)/, exclude: /\?url\b/ } },
    handler(css) {
      const sheets = globSync('src/features/*/browser/layout.css').map((file) => file.split(sep).join('/'));
      return (
        css +
        sheets
          .sort()
          .map((file) => `@import "../../../${file}";\n`)
          .join('')
      );
    },
  },
};

export default defineConfig({
  plugins: [layoutStyles, reactRouter()],
  build: {
    assetsDir: '_app',
    target: 'baseline-widely-available',
    // Pictures and icons stay files: an inlined one would be sent again with every page.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
  environments: {
    ssr: { build: { rolldownOptions: { input: 'src/app/site.ts' } } },
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                // Changes with a dependency.
                { name: 'framework', test: /node_modules/, tags: ['$initial'], priority: 2 },
                // Modules shared by two pages change with the product. Later imports are excluded.
                { name: 'frame', tags: ['$initial'], minShareCount: 2, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
