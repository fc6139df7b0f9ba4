import { join } from 'node:path';
import { Registry } from 'prom-client';
import { serveMetrics } from '../../process/listening.ts';
import { countLostLines, createLog } from '../../process/logger.ts';
import { EnvironmentError } from '../../process/variables.ts';
import { watchProcess } from '../../server/metrics/process.ts';
import { prepareDataFolder } from '../../stores/open/data-folder.ts';
import { openObjectStore } from '../../stores/open/object-store.ts';
import { openSharedRedis } from '../../stores/open/redis.ts';
import { assembleConverter } from '../parts/downloader/conversions.ts';
import { assembleSounds } from '../parts/downloader/sounds.ts';
import { reportReachability } from '../parts/reachability.ts';
import { readSettings, warnOfMisspelt } from '../parts/settings.ts';
import { stopOnSignal } from './stop.ts';

/** How long running conversions may go on after a stop signal; then other converters take them over. */
const graceMs = 30_000;

/**
 * Starts a converter: it makes the sounds that instances of the site request, and stops in order on a signal.
 * @throws EnvironmentError for an invalid variable
 */
export async function runJobs(): Promise<void> {
  const environment = readSettings();
  if (environment.CONVERSIONS === 0)
    throw new EnvironmentError('CONVERSIONS: must be at least 1 for "npm run jobs"');
  const { logger, lostLines } = createLog(environment);
  warnOfMisspelt(logger);
  const metrics = new Registry();
  watchProcess(metrics);
  countLostLines(metrics, lostLines);
  const redis = await openSharedRedis(environment, logger);
  if (redis === null)
    throw new EnvironmentError('REDIS_URL: must be set for "npm run jobs", the same as for the site');
  prepareDataFolder(environment.DATA_DIR);
  const objects = await openObjectStore(environment, logger);
  reportReachability(metrics, { redis, objects });
  const sounds = await assembleSounds({
    watch: null,
    environment,
    // Not the folder of a site instance, which may run beside it.
    folder: join(environment.DATA_DIR, 'converter-files'),
    searchPath: process.env.PATH ?? '',
    metrics,
    logger,
    // The requesting instance has checked takedowns already.
    isWithheld: () => false,
    redis,
    objects,
  });
  const converter = await assembleConverter(sounds.conversionParts, redis);
  const closeMetrics = await serveMetrics(environment, metrics);

  stopOnSignal(async () => {
    logger.info('stopping: running conversions may finish');
    try {
      await converter.close(AbortSignal.timeout(graceMs));
      closeMetrics();
      await sounds.close();
      await redis.close();
      await objects?.close();
      logger.info('stopped');
      return 0;
    } catch (error) {
      logger.error({ err: error }, 'could not stop cleanly');
      return 1;
    }
  });
  logger.info({ encoders: sounds.encoders.map(({ name }) => name) }, 'ready');
  sounds.warm().catch((error: unknown) => logger.error({ err: error }, 'the encoder did not load'));
}
