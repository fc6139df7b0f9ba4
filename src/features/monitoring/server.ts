import { fileURLToPath } from 'node:url';
import { Counter } from 'prom-client';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { monitoringFields, monitoringVariables } from './configuration.ts';
import { monitoringEndpoint } from './endpoints.ts';
import type { Monitoring } from './monitoring.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Sets up error reports if the environment asks for them; otherwise null, and no code is loaded. */
async function openMonitoring({
  environment,
  configuration,
  site,
  origin,
  metrics,
  logger,
}: Core): Promise<Monitoring | null> {
  const { SENTRY_DSN: dsn } = monitoringVariables.read(environment);
  if (dsn === undefined) {
    logger.info('SENTRY_DSN is not set: errors are only logged');
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
    configuration: monitoringFields.of(configuration).monitoring,
    release: site.version,
    origins: [origin],
    root,
    fetch,
    now: () => performance.now(),
    observe(source, result, error) {
      reports.inc({ source, result });
      // Logged as a warning: a failed report must not cause another report.
      if (result === 'failed') logger.warn({ err: error }, 'the monitoring server does not answer');
    },
  });
}

/** Reports errors, timings and recordings. */
export default async function openReporting(core: Core): Promise<FeatureServer> {
  const monitoring = await openMonitoring(core);
  if (monitoring === null) return {};
  const { session_sample_rate, error_session_sample_rate, trace_sample_rate } = monitoringFields.of(
    core.configuration,
  ).monitoring;
  const rates = { session_sample_rate, error_session_sample_rate, trace_sample_rate };
  // A page sends a recording every five seconds, and some reports together. Cleaning takes up to 50 ms each.
  const limit = core.rateLimits.create('monitoring', 10, 10);
  return {
    routes: (app) => monitoringEndpoint(app, monitoring, limit),
    settings: () => ({ monitoring: rates, learnsUnasked: true }),
    // Pages are timed and visits recorded for it.
    asksFor: ['statistics'],
    onError: monitoring.report,
    close: () => monitoring.flush(1000),
  };
}
