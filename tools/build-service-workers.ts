/** Builds the service workers, and the offline page's script: each is a classic script. */
import { globSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { build } from 'vite';

/** Features' workers are named after the feature, and the folder if there is one for each: `NAME`, `NAME-FOLDER`. */
const ofFeatures = globSync('src/features/*/worker/{,*/}worker.ts').map((file) => {
  const [name = '', , ...folders] = relative('src/features', dirname(file)).split(sep);
  return [`features/${[name, ...folders].join('-')}`, file];
});

const entries: Readonly<Record<string, string>> = {
  site: 'src/site/service-workers/site/worker.ts',
  withdrawn: 'src/site/service-workers/withdrawn/worker.ts',
  'offline-page': 'src/site/service-workers/offline-page/script.ts',
  ...Object.fromEntries(ofFeatures),
};

for (const [name, entry] of Object.entries(entries))
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // A codec looks for its own address, which it does not need: a classic script has none.
    define: { 'import.meta.url': "''" },
    build: {
      outDir: 'build/service-workers',
      emptyOutDir: false,
      target: 'baseline-widely-available',
      minify: true,
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: `${name}.js` } },
    },
  });
