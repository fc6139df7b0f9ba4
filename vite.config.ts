import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, mergeConfig, type Plugin, type UserConfig } from 'vite';

/** Adds to the site's style sheet what features' parts of the layout need: every page has both from the start. */
const layoutStyles: Plugin = {
  name: 'layout-styles',
  enforce: 'pre',
  transform: {
    // Excludes the module that exports its address.
    filter: { id: { include: /\/src\/web\/ui\/styles\.css(?:\?|$)/, exclude: /\?url\b/ } },
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

/** The features' parts of this configuration, found by their name. */
const ofFeatures = await Promise.all(
  globSync('src/features/*/vite.ts').map(async (file): Promise<UserConfig> => {
    const { default: part } = await import(pathToFileURL(file).href);
    return part;
  }),
);

const site = defineConfig({
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

export default ofFeatures.reduce((all, part) => mergeConfig(all, part), site);
