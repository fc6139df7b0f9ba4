import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Environment } from '../../process/environment.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import type { Monitoring } from './monitoring.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface MonitoringParts {
  readonly environment: Pick<Environment, 'SENTRY_DSN'>;
  readonly configuration: SiteConfiguration;
  readonly release: string;
  readonly origin: string;
  readonly metrics: Registry;
  readonly logger: Logger;
}

/** Reports errors where the environment says so; null where it does not, and then nothing of it is loaded. */
export async function assembleMonitoring({
  environment: { SENTRY_DSN: dsn },
  configuration,
  release,
  origin,
  metrics,
  logger,
}: MonitoringParts): Promise<Monitoring | null> {
  if (dsn === undefined) {
    logger.info('SENTRY_DSN is not set: errors are told in the log alone');
    return null;
  }
  const { createMonitoring } = await import('./monitoring.ts');
  const reports = new Counter({
    name: 'clipferry_monitoring_reports_total',
    help: 'Reports of errors, timings and recordings, by who made them and what became of them.',
    labelNames: ['source', 'result'],
    registers: [metrics],
  });
  return createMonitoring({
    dsn,
    configuration: configuration.monitoring,
    release,
    origins: [origin],
    root,
    fetch,
    now: () => performance.now(),
    observe(source, result, error) {
      reports.inc({ source, result });
      // As a warning: what cannot be reported must not be reported for that.
      if (result === 'failed') logger.warn({ err: error }, 'the monitoring server does not answer');
    },
  });
}
