/** Builds the service workers, and the script of the page that one of them shows: each a classic script of its own. */
import { build } from 'vite';

const entries = {
  site: 'src/web/service-workers/site/worker.ts',
  withdrawn: 'src/web/service-workers/withdrawn/worker.ts',
  push: 'src/features/push/worker/worker.ts',
  'offline-page': 'src/web/service-workers/offline-page/script.ts',
};

for (const [name, entry] of Object.entries(entries))
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: 'build/service-workers',
      emptyOutDir: false,
      target: 'baseline-widely-available',
      minify: true,
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: `${name}.js` } },
    },
  });
