import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { inlineRuntime, ownRouteModuleLoader } from './tools/build/plugins.ts';

export default defineConfig({
  plugins: [ownRouteModuleLoader(), reactRouter(), inlineRuntime()],
  build: {
    assetsDir: '_app',
    target: 'baseline-widely-available',
    // Pictures and icons stay files: an inlined one would be sent again with every page.
    assetsInlineLimit: 0,
    sourcemap: false,
    // One style sheet, fetched once: the pages' own parts are a few kilobytes.
    cssCodeSplit: false,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // Two files that every page has in common: what changes with a dependency, and what changes with us.
              // The entry stays out of both: it starts the page, which loading a shared file must not do.
              groups: [
                { name: 'framework', test: /node_modules|route-modules\.ts/, priority: 2 },
                { name: 'frame', test: /src\/(?:i18n|site)\/(?!pages\/|entry\.)/, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
