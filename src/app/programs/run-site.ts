import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import { reportCrash } from '../../process/crash.ts';
import type { Environment } from '../../process/environment.ts';
import { checkPort, listen, serveMetrics } from '../../process/listening.ts';
import { createLog } from '../../process/logger.ts';
import { EnvironmentError } from '../../process/variables.ts';
import type { BuiltSite, SiteShell } from '../../server/instance/parts.ts';
import { DatabaseNotOpened } from '../../stores/open/database.ts';
import { features } from '../features.ts';
import { readSiteConfiguration } from '../parts/read-site-configuration.ts';
import { readSettings, warnOfMisspelt } from '../parts/settings.ts';
import { stopOnSignals } from './stop.ts';

/** Lets features tell of a start that failed. Of a wrong setting nobody is told but who reads the error. */
async function reportFailedStart(environment: Environment, error: unknown, logger: Logger): Promise<void> {
  if (error instanceof EnvironmentError && !(error instanceof DatabaseNotOpened)) return;
  try {
    const configuration = readSiteConfiguration(environment);
    const origin = environment.SITE_ORIGIN ?? `https://${configuration.domain}`;
    const start = { environment, configuration, origin, error };
    await Promise.all(features.map(({ startFailed }) => startFailed?.(start)));
  } catch (failure) {
    logger.error({ err: failure }, 'nobody could be told that the start failed');
  }
}

/**
 * Starts the site: reads the environment, listens, and stops in order on a signal.
 * @throws EnvironmentError for an invalid variable
 */
export async function runSite(): Promise<void> {
  const environment = readSettings();
  const log = createLog(environment);
  const { logger } = log;
  warnOfMisspelt(logger);
  // Before anything heavy is loaded, a store opened, or an article imported.
  await checkPort(environment);
  const { assemble } = await import('../assemble.ts');
  const stopping = new AbortController();
  const { parts, features, downloader, closeStores } = await assemble(
    environment,
    loadBuiltSite,
    log,
    stopping.signal,
  ).catch(async (error: unknown) => {
    await reportFailedStart(environment, error, logger);
    throw error;
  });
  reportCrash(features.onError);
  // Imported late, so that an invalid variable is reported before half a second of loading.
  const { createApp } = await import('../server.ts');
  const app = createApp(parts, features.all);
  const closeMetrics = await serveMetrics(environment, parts.metrics);
  const origin = await listen(app, environment);
  stopOnSignals({
    app,
    downloader,
    async closeStores() {
      closeMetrics();
      await closeStores();
    },
    logger,
    stopping,
  });
  logger.info({ origin, readyMs: Math.round(performance.now()), encoders: downloader.encoders }, 'ready');
  downloader.warm().catch((error: unknown) => logger.error({ err: error }, 'the encoder did not load'));
}

function readShell(assets: readonly string[], folder: string): SiteShell {
  const script = (name: string) => readFileSync(join(folder, `${name}.js`), 'utf8');
  const ofFeatures = globSync('*.js', { cwd: join(folder, 'features') }).map((file) => basename(file, '.js'));
  return {
    version: hash('sha256', assets.join()).slice(0, 12),
    assets,
    scripts: {
      site: script('site'),
      withdrawn: script('withdrawn'),
      offlinePage: script('offline-page'),
      ofFeatures: Object.fromEntries(ofFeatures.map((name) => [name, script(`features/${name}`)])),
    },
  };
}

/** Loads the production build of the pages. @throws Error when it does not exist */
async function loadBuiltSite(): Promise<BuiltSite> {
  const folder = 'build';
  const file = resolve(folder, 'server/index.js');
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  // Imported here because React picks its production half by NODE_ENV when it is loaded.
  const { handle, renderDesk, pageFiles } = (await import(
    pathToFileURL(file).href
  )) as typeof import('../site.ts');
  return {
    handle,
    renderDesk,
    version: String(Math.floor(statSync(file).mtimeMs)),
    files: resolve(folder, 'client'),
    shell: readShell(pageFiles(), resolve(folder, 'service-workers')),
  };
}
