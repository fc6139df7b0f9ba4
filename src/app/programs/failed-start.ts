import type { Logger } from 'pino';
import type { Environment } from '../../process/environment.ts';
import { EnvironmentError } from '../../process/variables.ts';
import { DatabaseNotOpened } from '../../stores/open/database.ts';
import { features } from '../features.ts';
import { readSiteConfiguration } from '../parts/read-site-configuration.ts';

/** Lets features tell of a start that failed. Of a wrong setting nobody is told but who reads the error. */
export async function reportFailedStart(
  environment: Environment,
  error: unknown,
  logger: Logger,
): Promise<void> {
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
