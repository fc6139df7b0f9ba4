import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import {
  entriesMayExportMore,
  inlineRuntime,
  ownRouteModuleLoader,
  plainLaterImports,
  withoutUnusedParts,
} from './tools/build/plugins.ts';

export default defineConfig({
  plugins: [
    ownRouteModuleLoader(),
    withoutUnusedParts(),
    plainLaterImports(),
    reactRouter(),
    entriesMayExportMore(),
    inlineRuntime(),
  ],
  build: {
    assetsDir: '_app',
    target: 'baseline-widely-available',
    // Pictures and icons stay files: an inlined one would be sent again with every page.
    assetsInlineLimit: 0,
    sourcemap: false,
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
                // What reports errors is loaded later, if at all.
                {
                  name: 'framework',
                  test: /node_modules\/(?!@sentry\/|web-vitals\/)|route-modules\.ts/,
                  priority: 3,
                },
                // Of what is loaded later, what its files have in common.
                { name: 'stored', test: /visitors\/stored(?:-cookies|\/statistics-items)/, priority: 3 },
                { name: 'closed', test: /visitors\/stored\/closed/, priority: 3 },
                // Below `visitors/`, and what is only needed there, is loaded later, if at all. So is what a result needs.
                {
                  name: 'frame',
                  test: /src\/(?:i18n|site)\/(?!pages\/|promotion\/|forms\/|state\/|entry\.|visitors\/(?:[^/]+\/|stored-|experiment|consent-form)|articles\/(?!article-cards|cards|category-sign|useful-posts)|layout\/prose-page|browser\/(?:start-download|file-requests|conversion|visited-articles))/,
                  priority: 2,
                },
                // What pages to read have in common; the downloaders do without it.
                {
                  name: 'reading',
                  test: /src\/site\/(?:articles\/(?!article-cards|cards|category-sign|useful-posts)|layout\/prose-page|browser\/visited-articles)/,
                  priority: 1,
                },
                // Loaded with the first thing that is promoted. A group brings along what its files import: this one
                // comes last, so that what every page has stays in the others.
                { name: 'promotion', test: /site\/promotion\//, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
