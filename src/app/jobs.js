/** A converter as a program: `node src/app/jobs.js`. Plain JavaScript for the reason that `web.js` gives. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.NODE_ENV ??= 'production';

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url)));

try {
  const { runJobs } = await import('./programs/run-jobs.ts');
  await runJobs();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
