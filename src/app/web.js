/**
 * The site as a program: `node src/app/web.js`. Plain JavaScript, so that a start with a warm cache never loads the
 * compiler that strips the types.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.NODE_ENV ??= 'production';

// Caches stripped sources and compiled code: a start takes 0.3 s instead of 0.5, and the process 20 MB less. Nothing is
// cached when the folder cannot be written. It must run before any of our modules loads.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url)));

try {
  const { runSite } = await import('./programs/run-site.ts');
  await runSite();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
