/** The site for development: pages come from their sources and change in the browser as they are edited. */
process.env.NODE_ENV ??= 'development';

import { resolve } from 'node:path';
import { configureCatalogue } from '../i18n/catalogue.ts';
import { createLog } from '../process/logger.ts';
import type { BuiltSite } from '../server/instance/parts.ts';
import { assemble } from './assemble.ts';
import { readSettings } from './parts/settings.ts';
import { stopOnSignals } from './programs/stop.ts';

async function start(): Promise<void> {
  const environment = readSettings();
  // Texts are read again when they change; PSEUDO=1 shows longer, accented and right-to-left ones instead.
  configureCatalogue({ reread: true, pseudo: process.env.PSEUDO === '1' });
  const log = createLog(environment);
  const { logger } = log;
  const stopping = new AbortController();
  const { createServer } = await import('vite');
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' });
  const load = async () => (await vite.ssrLoadModule('/src/app/site.ts')) as typeof import('./site.ts');
  const site: BuiltSite = {
    files: resolve('public'),
    isDevelopment: true,
    version: 'development',
    async handle(request, services) {
      return (await load()).handle(request, services);
    },
    async renderDesk(shown) {
      return (await load()).renderDesk(shown);
    },
  };
  const { parts, features, downloader, closeStores } = await assemble(
    environment,
    async () => site,
    log,
    stopping.signal,
  );
  const { createApp } = await import('./server.ts');
  const app = createApp(parts, features.all);
  app.addHook('onRequest', (request, reply, next) => {
    vite.middlewares(request.raw, reply.raw, next);
  });
  app.addHook('onClose', () => vite.close());
  const origin = await app.listen({ port: environment.PORT, host: environment.HOST });
  stopOnSignals({ app, downloader, closeStores, logger, stopping });
  logger.info({ origin }, 'ready');
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
