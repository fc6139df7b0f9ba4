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
});
