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
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                // Changes with a dependency. What reports errors is loaded later, if at all.
                { name: 'framework', test: /node_modules\/(?!@sentry\/|web-vitals\/)/, priority: 2 },
                // What nearly every page has in common: changes with the product.
                { name: 'frame', test: /\/src\//, minShareCount: 3, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
