import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter()],
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
                // What two pages have in common changes with the product. What is imported later is not among it.
                { name: 'frame', tags: ['$initial'], minShareCount: 2, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
