import { fileURLToPath } from 'node:url';
import { Counter } from 'prom-client';
import type { Assembled, FeatureContext } from '../../web/feature.ts';
import type { RateLimit } from '../../web/http/limits/rate-limits.ts';
import type { Monitoring } from './monitoring.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Reports errors where the environment says so; null where it does not, and then nothing of it is loaded. */
async function openMonitoring({
  environment: { SENTRY_DSN: dsn },
  configuration,
  site,
  origin,
  metrics,
  logger,
}: FeatureContext): Promise<Monitoring | null> {
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
    release: site.version,
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

/** What reports errors, timings and recordings. */
export async function assembleMonitoring(context: FeatureContext): Promise<Assembled> {
  const monitoring = await openMonitoring(context);
  const { rates } = context.configuration.monitoring;
  return {
    parts: { monitoring },
    limits: {
      // A page sends a recording every five seconds, and some reports together. Cleaning takes up to 50 ms each.
      monitoring: context.rateLimits.create('monitoring', 10, 10),
    },
    ...(monitoring !== null && {
      settings: () => ({ monitoring: { rates }, learnsUnasked: true }),
      // Pages are timed and visits recorded for it.
      asksFor: ['statistics'],
      reporter: monitoring,
    }),
  };
}

declare module '../../web/server/parts.ts' {
  interface FeatureLimits {
    readonly monitoring: RateLimit;
  }
}
